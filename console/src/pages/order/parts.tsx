import type { Body } from '../../api/json.ts'
import type { Answer } from '../../api/request.ts'
import { formatNumber } from '../../format.ts'
import { Actions } from '../../forms/actions.tsx'
import { Badge } from '../../parts/value.tsx'
import { nameInWords, word } from '../../words/words.ts'

/** A parcel or a return as its list has it. */
const answerOf = (body: Body): Answer => ({
  status: 200,
  body,
  etag: undefined,
  location: undefined,
})

interface PartsProps {
  readonly items: readonly Body[]
  readonly onChanged: () => Promise<void>
}

/** The parcels of an order, with what is in each and where it is. */
export function Parcels({ parcels, ...props }: PartsProps & { readonly parcels: readonly Body[] }) {
  return (
    <Parts
      {...props}
      name="parcels"
      parts={parcels}
      titleOf={({ carrier, tracking_number }) =>
        [carrier, tracking_number].filter(Boolean).join(' · ') || word('noTracking')
      }
    />
  )
}

/** The returns of an order, with what the buyer sends back and why. */
export function Returns({ returns, ...props }: PartsProps & { readonly returns: readonly Body[] }) {
  return (
    <Parts
      {...props}
      name="returns"
      parts={returns}
      titleOf={({ kind, declared_by, reason }) =>
        [nameInWords(String(kind)), declared_by, reason].filter(Boolean).join(' · ')
      }
    />
  )
}

/** What holds pieces of an order: its status, its pieces, and what may be done with it. */
function Parts({
  name,
  parts,
  titleOf,
  items,
  onChanged,
}: PartsProps & {
  readonly name: string
  readonly parts: readonly Body[]
  readonly titleOf: (part: Body) => string
}) {
  if (parts.length === 0) return null
  const names = new Map(items.map((item) => [item.id, String(item.name)]))
  return (
    <section class="card">
      <header>
        <h2>{nameInWords(name)}</h2>
      </header>
      <ul class="parcels">
        {parts.map((part) => (
          <li key={String(part.id)}>
            <header>
              <h3>{titleOf(part)}</h3>
              <Badge text={String(part.status)} />
            </header>
            <ul class="quiet-text">
              {(part.items as unknown as readonly Body[]).map(({ order_item_id, quantity }) => (
                <li key={String(order_item_id)}>
                  {formatNumber(Number(quantity))} × {names.get(order_item_id)}
                </li>
              ))}
            </ul>
            {typeof part.reply === 'string' && <p>{part.reply}</p>}
            <footer>
              {typeof part.tracking_url === 'string' && (
                <a href={part.tracking_url} target="_blank" rel="noreferrer">
                  {word('track')}
                </a>
              )}
              <Actions answer={answerOf(part)} onChanged={onChanged} />
            </footer>
          </li>
        ))}
      </ul>
    </section>
  )
}
