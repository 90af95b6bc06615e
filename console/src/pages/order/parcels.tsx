import type { Body } from '../../api/json.ts'
import type { Answer } from '../../api/request.ts'
import { formatNumber } from '../../format.ts'
import { Actions } from '../../forms/actions.tsx'
import { Badge } from '../../parts/value.tsx'
import { nameInWords, word } from '../../words/words.ts'

/** A parcel as its list has it. */
const answerOf = (body: Body): Answer => ({
  status: 200,
  body,
  etag: undefined,
  location: undefined,
})

/** The parcels of an order, with what is in each and where it is. */
export function Parcels({
  parcels,
  items,
  onChanged,
}: {
  readonly parcels: readonly Body[]
  readonly items: readonly Body[]
  readonly onChanged: () => Promise<void>
}) {
  if (parcels.length === 0) return null
  const names = new Map(items.map(({ id, name }) => [id, String(name)]))
  return (
    <section class="card">
      <header>
        <h2>{nameInWords('parcels')}</h2>
      </header>
      <ul class="parcels">
        {parcels.map((parcel) => (
          <li key={String(parcel.id)}>
            <header>
              <h3>
                {[parcel.carrier, parcel.tracking_number].filter(Boolean).join(' · ') ||
                  word('noTracking')}
              </h3>
              <Badge text={String(parcel.status)} />
            </header>
            <ul class="quiet-text">
              {(parcel.items as unknown as readonly Body[]).map(({ order_item_id, quantity }) => (
                <li key={String(order_item_id)}>
                  {formatNumber(Number(quantity))} × {names.get(order_item_id)}
                </li>
              ))}
            </ul>
            <footer>
              {typeof parcel.tracking_url === 'string' && (
                <a href={parcel.tracking_url} target="_blank" rel="noreferrer">
                  {word('track')}
                </a>
              )}
              <Actions answer={answerOf(parcel)} onChanged={onChanged} />
            </footer>
          </li>
        ))}
      </ul>
    </section>
  )
}
