import { useState } from 'preact/hooks'
import type { Body } from '../../api/json.ts'
import { write } from '../../api/write.ts'
import { useSubmission } from '../../forms/submission.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notice.tsx'
import { nameInWords, word } from '../../words/words.ts'
import { PieceRows } from './piece-rows.tsx'
import { chosenPieces, type Quantities } from './pieces.ts'

/** Asks for a return on behalf of the buyer, of pieces that were sent. */
export function ReturnForm({
  order,
  items,
  href,
  onDone,
  onClose,
}: {
  readonly order: Body
  readonly items: readonly Body[]
  readonly href: string
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const [quantities, setQuantities] = useState<Quantities>({})
  const [reason, setReason] = useState('')
  const pieces = chosenPieces(quantities)
  const send = () =>
    write('POST', href, {
      body: { items: pieces, kind: 'return', ...(reason === '' ? {} : { reason }) },
    })
  const { failure, isSending, submit } = useSubmission(send, onDone)
  return (
    <Dialog title={word('returnTitle', { id: String(order.number) })} onClose={onClose}>
      <form onSubmit={submit}>
        <Problem text={failure} />
        <PieceRows
          items={items.filter(({ shipped_quantity }) => Number(shipped_quantity) > 0)}
          leftOf={({ shipped_quantity }) => Number(shipped_quantity)}
          quantities={quantities}
          onChange={setQuantities}
        />
        <div class="field">
          <label for="return-reason">{nameInWords('reason')}</label>
          <input
            id="return-reason"
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </div>
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={pieces.length === 0 || isSending}>
            {word('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
