import type { Body } from '../../api/json.ts'
import { formatMoney } from '../../format.ts'
import { nameInWords, word } from '../../words/words.ts'
import { PieceRows } from './piece-rows.tsx'
import { piecesLeft } from './pieces.ts'
import { isShippingRefunded, type Refund } from './refund.ts'

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
      <PieceRows
        items={items}
        leftOf={(item) => piecesLeft(item, refunds)}
        quantities={quantities}
        onChange={(changed) => onChange({ quantities: changed })}
      />
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
