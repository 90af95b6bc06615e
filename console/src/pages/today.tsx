import { useEffect, useState } from 'preact/hooks'
import { useReading, useShop } from '../api/context.ts'
import type { Body } from '../api/json.ts'
import { linkOf, linksOf, pageOf } from '../api/links.ts'
import { entriesOf, read } from '../api/request.ts'
import {
  formatBriefTime,
  formatDay,
  formatFullDate,
  formatMoney,
  formatNumber,
  formatTime,
} from '../format.ts'
import { BarChart } from '../parts/chart.tsx'
import { Icon } from '../parts/icon.tsx'
import { Failure, Skeleton } from '../parts/notice.tsx'
import { Badge } from '../parts/value.tsx'
import { nameInWords, word } from '../words/words.ts'
import { groupByDay, startOfDay } from './days.ts'

const days = 14
const maxPages = 10
const week = 7

/** The orders of the last days, the latest first; at most those of `maxPages` pages. */
async function readLatestOrders(since: Date): Promise<readonly Body[]> {
  const orders: Body[] = []
  let cursor = ''
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({
      created_since: since.toISOString(),
      sort: 'created_at',
      order: 'desc',
      limit: '100',
      ...(cursor === '' ? {} : { cursor }),
    })
    const { body } = await read(`/orders?${query}`)
    orders.push(...entriesOf(body))
    const next = (body.pagination as Body).next_cursor
    if (typeof next !== 'string') break
    cursor = next
  }
  return orders
}

const totalOf = (body: Body | undefined): number =>
  Number((body?.pagination as Body | undefined)?.total_items ?? 0)

/** What the shopkeeper should know and do today. */
export function Today() {
  const { entry } = useShop()
  const now = new Date()
  const [orders, setOrders] = useState<readonly Body[]>()
  const [error, setError] = useState<unknown>()
  const load = () => {
    setError(undefined)
    readLatestOrders(startOfDay(now, days - 1)).then(setOrders, setError)
  }
  useEffect(load, [])
  const has = (name: string) => linkOf(entry, name) !== undefined
  return (
    <article class="today">
      <header class="head">
        <h1>{word('today')}</h1>
        <p class="quiet-text">{formatFullDate(now)}</p>
      </header>
      {error !== undefined && <Failure error={error} onRetry={load} />}
      {error === undefined && !orders && <Skeleton />}
      {orders && <Figures orders={orders} now={now} />}
      <div class="columns">
        {orders && <LatestOrders orders={orders.slice(0, 8)} />}
        <div class="stack">
          {has('products') && <OutOfStock />}
          {has('events') && <FailedPayments since={startOfDay(now, week)} />}
          {has('webhooks') && <FailedDeliveries />}
        </div>
      </div>
    </article>
  )
}

function Figures({ orders, now }: { readonly orders: readonly Body[]; readonly now: Date }) {
  const byDay = groupByDay(orders, now, days)
  const [yesterday, today] = byDay.slice(-2)
  const toShip = useReading('/orders?status=paid&limit=1')
  const awaiting = useReading('/orders?status=pending&limit=1')
  const bars = (name: 'revenue' | 'count', inWords: (value: number) => string) =>
    byDay.map((day) => ({
      label: formatDay(day.date),
      value: day[name],
      text: inWords(day[name]),
    }))
  return (
    <>
      <div class="figures">
        <Figure
          name={word('revenueToday')}
          value={formatMoney(today?.revenue ?? 0)}
          note={word('yesterday', { value: formatMoney(yesterday?.revenue ?? 0) })}
        />
        <Figure
          name={word('ordersToday')}
          value={formatNumber(today?.count ?? 0)}
          note={word('yesterday', { value: formatNumber(yesterday?.count ?? 0) })}
        />
        <Figure
          name={word('toShip')}
          value={formatNumber(totalOf(toShip.answer?.body))}
          href="/orders?status=paid"
        />
        <Figure
          name={word('awaiting')}
          value={formatNumber(totalOf(awaiting.answer?.body))}
          href="/orders?status=pending"
        />
      </div>
      <div class="charts">
        <BarChart title={word('revenueDays')} bars={bars('revenue', formatMoney)} />
        <BarChart title={word('ordersDays')} bars={bars('count', formatNumber)} />
      </div>
    </>
  )
}

function Figure({
  name,
  value,
  note,
  href,
}: {
  readonly name: string
  readonly value: string
  readonly note?: string
  readonly href?: string
}) {
  return (
    <div class="card figure">
      <h2>{name}</h2>
      <p class="number">{value}</p>
      <p class="quiet-text">{href ? <a href={pageOf(href)}>{word('seeAll')}</a> : note}</p>
    </div>
  )
}

function LatestOrders({ orders }: { readonly orders: readonly Body[] }) {
  return (
    <section class="card">
      <header>
        <h2>{word('latestOrders')}</h2>
        <a href="/console/orders">{word('seeAll')}</a>
      </header>
      <ul class="lines">
        {orders.map((order) => (
          <li key={String(order.id)}>
            <a href={`/console/orders/${String(order.id)}`}>{String(order.number)}</a>
            <Badge text={String(order.status)} />
            <time
              class="quiet-text grow"
              dateTime={String(order.created_at)}
              title={formatTime(String(order.created_at))}
            >
              {formatBriefTime(String(order.created_at))}
            </time>
            <span class="amount">{formatMoney(Number(order.total))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A list of what needs attention; says so where nothing does. */
function Attention({
  title,
  href,
  count,
  children,
}: {
  readonly title: string
  readonly href?: string
  readonly count: number | undefined
  readonly children?: preact.ComponentChildren
}) {
  return (
    <section class="card">
      <header>
        <h2>
          {title}{' '}
          {count !== undefined && count > 0 && <span class="count">{formatNumber(count)}</span>}
        </h2>
        {href && count !== undefined && count > 0 && <a href={pageOf(href)}>{word('seeAll')}</a>}
      </header>
      {count === undefined && <Skeleton lines={2} />}
      {count === 0 && (
        <p class="well">
          <Icon name="check" />
          {word('allWell')}
        </p>
      )}
      {children}
    </section>
  )
}

function OutOfStock() {
  const { answer } = useReading('/products?availability=out_of_stock&limit=5')
  return (
    <Attention
      title={word('outOfStock')}
      href="/products?availability=out_of_stock"
      count={answer && totalOf(answer.body)}
    >
      <ul class="lines">
        {entriesOf(answer?.body).map((product) => (
          <li key={String(product.id)}>
            <a class="grow" href={`/console/products/${String(product.id)}`}>
              {String(product.name)}
            </a>
            <span class="quiet-text">{String(product.sku ?? '')}</span>
          </li>
        ))}
      </ul>
    </Attention>
  )
}

function FailedPayments({ since }: { readonly since: Date }) {
  const href = `/events?${new URLSearchParams({ type: 'payment.failed', since: since.toISOString() })}`
  // The oldest come first, so the latest need all of them.
  const { answer } = useReading(`${href}&limit=1000`)
  const events = entriesOf(answer?.body)
  return (
    <Attention
      title={`${word('failedPayments')}, ${word('lastDays')}`}
      href={href}
      count={answer && events.length}
    >
      <ul class="lines">
        {events
          .slice(-5)
          .reverse()
          .map((event) => {
            const orderId = (event.data as Body | null)?.order_id
            return (
              <li key={String(event.id)}>
                {orderId === undefined ? (
                  <span>{String(event.subject)}</span>
                ) : (
                  <a href={`/console/orders/${String(orderId)}`}>#{String(orderId)}</a>
                )}
                <span class="quiet-text grow">{formatTime(String(event.time))}</span>
              </li>
            )
          })}
      </ul>
    </Attention>
  )
}

/** The webhooks with deliveries that have failed. */
function FailedDeliveries() {
  const [failed, setFailed] =
    useState<readonly { readonly webhook: Body; readonly count: number }[]>()
  useEffect(() => {
    const load = async () => {
      const webhooks = entriesOf((await read('/webhooks?limit=20')).body)
      const counts = await Promise.all(
        webhooks.map(async (webhook) => {
          const link = linksOf(webhook).find(({ name }) => name === 'deliveries')
          const page = link && (await read(`${link.href}?status=failed&limit=1`))
          return { webhook, count: totalOf(page?.body) }
        }),
      )
      setFailed(counts.filter(({ count }) => count > 0))
    }
    load().catch(() => setFailed([]))
  }, [])
  const total = failed?.reduce((sum, { count }) => sum + count, 0)
  return (
    <Attention title={word('failedDeliveries')} count={total}>
      <ul class="lines">
        {failed?.map(({ webhook, count }) => (
          <li key={String(webhook.id)}>
            <a
              class="grow"
              href={`/console/webhooks/${String(webhook.id)}/deliveries?status=failed`}
            >
              {String(webhook.url)}
            </a>
            <span class="amount">
              {formatNumber(count)} {nameInWords('failed')}
            </span>
          </li>
        ))}
      </ul>
    </Attention>
  )
}
