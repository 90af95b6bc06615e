import { useState } from 'preact/hooks'
import type { Body } from '../../api/json.ts'
import { write } from '../../api/write.ts'
import { formatMoney } from '../../format.ts'
import { useSubmission } from '../../forms/submission.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notice.tsx'
import { nameInWords, word } from '../../words/words.ts'
import { bodyOf, isComplete, noRefund, type Refund } from './refund.ts'
import { Amount, Kind, Pieces } from './refund-fields.tsx'

interface RefundFormProps {
  readonly order: Body
  readonly items: readonly Body[]
  /** The refunds so far. */
  readonly refunds: readonly Body[]
  readonly href: string
  /** What is not refunded yet, in major units. */
  readonly left: number
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Refunds pieces, the shipping, or an amount. */
export function RefundForm(props: RefundFormProps) {
  const { order, items, refunds, href, left, onDone, onClose } = props
  const [refund, setRefund] = useState(noRefund)
  const change = (changes: Partial<Refund>) => setRefund((given) => ({ ...given, ...changes }))
  const send = () => write('POST', href, { body: bodyOf(refund) })
  const { failure, isSending, submit } = useSubmission(send, onDone)
  return (
    <Dialog title={word('refundTitle', { id: String(order.number) })} kind="side" onClose={onClose}>
      <form onSubmit={submit}>
        <p class="quiet-text">{word('refundOf', { amount: formatMoney(left) })}</p>
        <Problem text={failure} />
        <Kind refund={refund} onChange={change} />
        {refund.kind === 'amount' ? (
          <Amount refund={refund} left={left} onChange={change} />
        ) : (
          <Pieces {...{ refund, order, items, refunds }} onChange={change} />
        )}
        <div class="field">
          <label for="refund-reason">{nameInWords('reason')}</label>
          <input
            id="refund-reason"
            maxLength={500}
            value={refund.reason}
            onInput={(event) => change({ reason: event.currentTarget.value })}
          />
        </div>
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={!isComplete(refund) || isSending}>
            {word('refund')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
