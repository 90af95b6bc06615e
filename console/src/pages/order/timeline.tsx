import { useReading, useShop } from '../../api/context.ts'
import type { Body } from '../../api/json.ts'
import { linkOf } from '../../api/links.ts'
import { entriesOf } from '../../api/request.ts'
import { formatMoney, formatTime } from '../../format.ts'
import { nameInWords, word } from '../../words/words.ts'

interface Moment {
  readonly at: string
  readonly name: string
  readonly note?: string
}

/** What happened to an order: its events, and what its own fields say of the time before them. */
export function Timeline({
  order,
  shipping,
  payments,
  refunds,
}: {
  readonly order: Body
  readonly shipping: Body | undefined
  readonly payments: readonly Body[]
  readonly refunds: readonly Body[]
}) {
  const { entry } = useShop()
  const query = new URLSearchParams({ subject: `/orders/${String(order.id)}`, limit: '100' })
  const events = useReading(linkOf(entry, 'events') && `/events?${query}`)
  const moments = momentsOf(entriesOf(events.answer?.body), { order, shipping, payments, refunds })
  return (
    <section class="card">
      <header>
        <h2>{word('timeline')}</h2>
      </header>
      <ol class="timeline">
        {moments.map(({ at, name, note }) => (
          <li key={`${at}${name}`}>
            <span>{nameInWords(name)}</span>
            {note !== undefined && <span class="quiet-text"> {note}</span>}
            <time class="quiet-text" dateTime={at}>
              {formatTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}

function momentsOf(
  events: readonly Body[],
  { order, shipping, payments, refunds }: Parameters<typeof Timeline>[0],
): readonly Moment[] {
  const fromEvents = events.map((event) => ({
    at: String(event.time),
    name: String(event.type).replace(/^order\./, ''),
  }))
  const known = new Set(fromEvents.map(({ name }) => name))
  const fromFields: readonly (readonly [string, unknown])[] = [
    ['created', order.created_at],
    [
      'paid',
      payments.find(({ status }) => status === 'succeeded' || status === 'refunded')?.created_at,
    ],
    ['shipped', shipping?.shipped_at],
    ['delivered', shipping?.delivered_at],
  ]
  const others = fromFields.flatMap(([name, at]) =>
    typeof at === 'string' && !known.has(name) ? [{ at, name }] : [],
  )
  const returned = refunds
    .filter(({ status }) => status === 'succeeded')
    .map((refund) => ({
      at: String(refund.created_at),
      name: 'refunded',
      note: formatMoney(Number(refund.amount)),
    }))
  // The last refund says when the order was refunded.
  const noted =
    returned.length > 0 ? fromEvents.filter(({ name }) => name !== 'refunded') : fromEvents
  return [...noted, ...others, ...returned].sort((one, other) => one.at.localeCompare(other.at))
}
