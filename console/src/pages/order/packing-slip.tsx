import { useShop } from '../../api/context.ts'
import type { Body } from '../../api/json.ts'
import { describeOptions, formatDate } from '../../format.ts'
import { nameInWords, word } from '../../words/words.ts'
import { Address } from '../address.tsx'

/** What is printed of an order; invisible on the screen. */
export function PackingSlip({
  order,
  items,
  shipping,
}: {
  readonly order: Body
  readonly items: readonly Body[]
  readonly shipping: Body | undefined
}) {
  const { document: api } = useShop()
  return (
    <section class="slip" aria-hidden="true">
      <header>
        <strong>{api.title}</strong>
        <span>{word('packingSlipTitle')}</span>
      </header>
      <p class="slip-title">{word('order', { id: String(order.number) })}</p>
      <p>{formatDate(new Date(String(order.created_at)))}</p>
      {shipping && (
        <div class="slip-address">
          <small>{word('toAddress')}</small>
          <Address shipping={shipping} />
          <p>{nameInWords(String(shipping.method))}</p>
        </div>
      )}
      <table>
        <thead>
          <tr>
            <th>{nameInWords('sku')}</th>
            <th>{nameInWords('product')}</th>
            <th class="end">{word('quantity')}</th>
            <th class="end">✓</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={String(item.id)}>
              <td>{String(item.sku ?? '')}</td>
              <td>
                {String(item.name)}
                <div class="quiet-text">{describeOptions(item)}</div>
              </td>
              <td class="end">{String(item.quantity)}</td>
              <td class="end">☐</td>
            </tr>
          ))}
        </tbody>
      </table>
      {order.note && <p>{String(order.note)}</p>}
    </section>
  )
}
