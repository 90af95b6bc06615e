import { useState } from 'preact/hooks'
import type { Body } from '../../api/json.ts'
import { write } from '../../api/write.ts'
import { formatMoney } from '../../format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { describeError, Problem } from '../../parts/notice.tsx'
import { nameInWords, word } from '../../words/words.ts'

interface RefundFormProps {
  readonly order: Body
  readonly items: readonly Body[]
  readonly href: string
  /** What is not refunded yet, in major units. */
  readonly left: number
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Refunds pieces, the shipping, or an amount. */
export function RefundForm({ order, items, href, left, onDone, onClose }: RefundFormProps) {
  const [kind, setKind] = useState<'pieces' | 'amount'>('pieces')
  const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>({})
  const [isShippingToo, setShippingToo] = useState(false)
  const [isRestocked, setRestocked] = useState(true)
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState('')
  const [isSending, setSending] = useState(false)
  const money = (value: number) => formatMoney(value, String(order.currency))
  const pieces = Object.entries(quantities).filter(([, quantity]) => quantity > 0)
  const isComplete = kind === 'amount' ? amount !== '' : pieces.length > 0 || isShippingToo
  const submit = async (event: Event) => {
    event.preventDefault()
    const chosen: Body =
      kind === 'amount'
        ? { amount: Number(amount) }
        : {
            ...(pieces.length > 0
              ? {
                  items: pieces.map(([id, quantity]) => ({ order_item_id: Number(id), quantity })),
                  restock: isRestocked,
                }
              : {}),
            ...(isShippingToo ? { shipping: true } : {}),
          }
    setSending(true)
    setFailure('')
    try {
      await write('POST', href, { body: { ...chosen, ...(reason === '' ? {} : { reason }) } })
      onDone()
    } catch (error) {
      setFailure(describeError(error))
      setSending(false)
    }
  }
  return (
    <Dialog
      title={word('refundTitle', { id: `#${String(order.id)}` })}
      kind="side"
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <p class="quiet-text">{word('refundOf', { amount: money(left) })}</p>
        <Problem text={failure} />
        <fieldset class="field switch">
          <legend class="unseen">{word('refund')}</legend>
          {(['pieces', 'amount'] as const).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="kind"
                checked={kind === each}
                onChange={() => setKind(each)}
              />
              {word(each === 'pieces' ? 'refundPieces' : 'refundAmount')}
            </label>
          ))}
        </fieldset>
        {kind === 'amount' ? (
          <div class="field">
            <label for="refund-amount">{nameInWords('amount')}</label>
            <input
              id="refund-amount"
              type="number"
              inputMode="decimal"
              step="any"
              min="0"
              max={left}
              value={amount}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
          </div>
        ) : (
          <>
            {items.map((item) => (
              <label key={String(item.id)} class="piece">
                <span>
                  {String(item.name)}
                  <span class="quiet-text">
                    {money(Number(item.unit_price))} ·{' '}
                    {word('of', { count: String(item.quantity) })}
                  </span>
                </span>
                <input
                  type="number"
                  inputMode="numeric"
                  min="0"
                  max={Number(item.quantity)}
                  value={quantities[String(item.id)] ?? 0}
                  onInput={(event) => {
                    const quantity = Number(event.currentTarget.value)
                    setQuantities((given) => ({ ...given, [String(item.id)]: quantity }))
                  }}
                />
              </label>
            ))}
            {Number(order.shipping_cost) > 0 && (
              <Check
                text={word('refundShipping', { amount: money(Number(order.shipping_cost)) })}
                value={isShippingToo}
                onChange={setShippingToo}
              />
            )}
            <Check text={word('restock')} value={isRestocked} onChange={setRestocked} />
          </>
        )}
        <div class="field">
          <label for="refund-reason">{nameInWords('reason')}</label>
          <input
            id="refund-reason"
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </div>
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={!isComplete || isSending}>
            {word('refund')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function Check({
  text,
  value,
  onChange,
}: {
  readonly text: string
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {text}
    </label>
  )
}
