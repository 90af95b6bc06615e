import type { Body } from '../../api/json.ts'
import { describeOptions, formatMoney, formatNumber } from '../../format.ts'
import { nameInWords, word } from '../../words/words.ts'
import { isShippingRefunded, piecesLeft, type Refund } from './refund.ts'

interface FieldProps {
  readonly refund: Refund
  readonly onChange: (changes: Partial<Refund>) => void
}

/** Whether pieces are refunded or an amount. */
export function Kind({ refund, onChange }: FieldProps) {
  return (
    <fieldset class="field switch">
      <legend class="unseen">{word('refund')}</legend>
      {(['pieces', 'amount'] as const).map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="kind"
            checked={refund.kind === kind}
            onChange={() => onChange({ kind })}
          />
          {word(kind === 'pieces' ? 'refundPieces' : 'refundAmount')}
        </label>
      ))}
    </fieldset>
  )
}

/** The amount, at most what is left. */
export function Amount({ refund, left, onChange }: FieldProps & { readonly left: number }) {
  return (
    <div class="field">
      <label for="refund-amount">{nameInWords('amount')}</label>
      <input
        id="refund-amount"
        type="number"
        inputMode="decimal"
        step="any"
        min="0"
        max={left}
        value={refund.amount}
        onInput={(event) => onChange({ amount: event.currentTarget.value })}
      />
    </div>
  )
}

/** How many of each item, the shipping, and whether the pieces are in stock again. */
export function Pieces({
  refund: { quantities, isShippingToo, isRestocked },
  order,
  items,
  refunds,
  onChange,
}: FieldProps & {
  readonly order: Body
  readonly items: readonly Body[]
  readonly refunds: readonly Body[]
}) {
  return (
    <>
      {items
        .map((item) => ({ item, left: piecesLeft(item, refunds) }))
        .map(({ item, left }) => (
          <label key={String(item.id)} class="piece">
            <span>
              {String(item.name)}
              <span class="quiet-text">
                {[
                  describeOptions(item),
                  formatMoney(Number(item.unit_price)),
                  word('of', { count: formatNumber(left) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <input
              type="number"
              inputMode="numeric"
              min="0"
              max={left}
              disabled={left === 0}
              value={quantities[String(item.id)] ?? 0}
              onInput={(event) => {
                const quantity = Number(event.currentTarget.value)
                onChange({ quantities: { ...quantities, [String(item.id)]: quantity } })
              }}
            />
          </label>
        ))}
      {Number(order.shipping_cost) > 0 && !isShippingRefunded(refunds) && (
        <Check
          text={word('refundShipping', { amount: formatMoney(Number(order.shipping_cost)) })}
          value={isShippingToo}
          onChange={(isChecked) => onChange({ isShippingToo: isChecked })}
        />
      )}
      <Check
        text={word('restock')}
        value={isRestocked}
        onChange={(isChecked) => onChange({ isRestocked: isChecked })}
      />
    </>
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
