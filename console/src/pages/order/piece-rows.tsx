import type { Body } from '../../api/json.ts'
import { describeOptions, formatMoney, formatNumber } from '../../format.ts'
import { word } from '../../words/words.ts'
import type { Quantities } from './pieces.ts'

/** Asks how many pieces of each item, at most what is left of it. */
export function PieceRows({
  items,
  leftOf,
  quantities,
  onChange,
}: {
  readonly items: readonly Body[]
  readonly leftOf: (item: Body) => number
  readonly quantities: Quantities
  readonly onChange: (quantities: Quantities) => void
}) {
  return items.map((item) => {
    const left = leftOf(item)
    const id = String(item.id)
    const facts = [
      describeOptions(item),
      formatMoney(Number(item.unit_price)),
      word('of', { count: formatNumber(left) }),
    ]
    return (
      <label key={id} class="piece">
        <span>
          {String(item.name)}
          <span class="quiet-text">{facts.filter(Boolean).join(' · ')}</span>
        </span>
        <input
          type="number"
          inputMode="numeric"
          min="0"
          max={left}
          disabled={left === 0}
          value={quantities[id] ?? 0}
          onInput={(event) => onChange({ ...quantities, [id]: Number(event.currentTarget.value) })}
        />
      </label>
    )
  })
}
