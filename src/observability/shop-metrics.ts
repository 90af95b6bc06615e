import { Counter, Gauge, type Registry } from 'prom-client'
import { type Backlog, maxCountedMails, readBacklog } from '#shop/events/backlog-store.ts'
import { onCommittedEvents } from '#shop/events/outbox-store.ts'
import { eventTypes } from '#shop/events/types.ts'
import type { Db } from '#store/database.ts'
import { type Instant, secondMs } from '#values/instant.ts'

/** Counts what this process commits, by type of event, and the money that it takes and returns. */
export function countEvents(registry: Registry, currency: string): void {
  const events = new Counter({
    name: 'shop_events_total',
    help: 'Events committed by this process, by type: orders by change, payments by outcome, and so on.',
    labelNames: ['type'],
    registers: [registry],
  })
  const amounts = {
    'payment.succeeded': new Counter({
      name: 'shop_revenue_minor_total',
      help: 'Money taken by this process, in minor units. Subtract shop_refunded_minor_total for the net.',
      labelNames: ['currency'],
      registers: [registry],
    }),
    'payment.refunded': new Counter({
      name: 'shop_refunded_minor_total',
      help: 'Money returned by this process, in minor units.',
      labelNames: ['currency'],
      registers: [registry],
    }),
  }
  // From 0, so that the first event is an increase.
  for (const type of eventTypes) events.inc({ type }, 0)
  for (const counter of Object.values(amounts)) counter.inc({ currency }, 0)
  onCommittedEvents((committed) => {
    for (const { type, amount } of committed) {
      events.inc({ type })
      if (amount && type in amounts) {
        amounts[type as keyof typeof amounts].inc({ currency: amount.currency }, amount.minor)
      }
    }
  })
}

interface BacklogGauge {
  readonly name: string
  readonly help: string
  /** The value, at an instant. */
  readonly value: (backlog: Backlog, now: number) => number
}

const secondsSince = (instant: number | null, now: number): number =>
  instant === null ? 0 : Math.max(0, now - instant) / secondMs

const backlogGauges: readonly BacklogGauge[] = [
  {
    name: 'outbox_oldest_event_age_seconds',
    help: 'Age of the oldest event that is not published; 0 without any.',
    value: ({ oldestUnpublished }, now) => secondsSince(oldestUnpublished, now),
  },
  {
    name: 'webhook_oldest_delivery_age_seconds',
    help: 'Age of the oldest pending delivery to an active webhook; 0 without any.',
    value: ({ oldestDelivery }, now) => secondsSince(oldestDelivery, now),
  },
  {
    name: 'webhook_overdue_seconds',
    help: 'How long the attempt of a delivery that is due has waited at most; 0 if none is due.',
    value: ({ oldestDueDelivery }, now) => secondsSince(oldestDueDelivery, now),
  },
  {
    name: 'webhooks_failing',
    help: 'Active webhooks whose last attempt has failed.',
    value: ({ failingWebhooks }) => failingWebhooks,
  },
  {
    name: 'mails_waiting',
    help: `Mails to be sent, at most ${maxCountedMails}.`,
    value: ({ waitingMails }) => waitingMails,
  },
  {
    name: 'orders_unpaid',
    help: 'Orders that wait for payment.',
    value: ({ unpaidOrders }) => unpaidOrders,
  },
  {
    name: 'stock_held_unpaid',
    help: 'Pieces of counted stocks that orders hold which wait for payment.',
    value: ({ unpaidPieces }) => unpaidPieces,
  },
]

/** The database and the clock of the measurements. */
interface BacklogOptions {
  readonly db: Db
  readonly clock: () => Instant
  /** How long a scrape waits for the database. */
  readonly timeoutMs?: number
}

/**
 * Measures what waits in the database, the same in every process. While the database does not answer in
 * time, `store_reachable` is 0 and the others are missing.
 */
export function measureBacklog(registry: Registry, options: BacklogOptions): void {
  let reading: Promise<Backlog | undefined> | undefined
  // All gauges of a scrape share one reading.
  const read = () => {
    reading ??= readInTime(options).finally(() => {
      reading = undefined
    })
    return reading
  }
  // All workers read the same values.
  for (const { name, help, value } of backlogGauges) {
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const backlog = await read()
        if (backlog) this.set(value(backlog, options.clock()))
        else this.remove()
      },
    })
  }
  new Gauge({
    name: 'store_reachable',
    help: '1 if the database answers, else 0.',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.set((await read()) ? 1 : 0)
    },
  })
}

/** Returns undefined where the database does not answer in time. */
async function readInTime({
  db,
  clock,
  timeoutMs = 2 * secondMs,
}: BacklogOptions): Promise<Backlog | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined)
  })
  try {
    const reading = readBacklog(db, clock()).catch(() => undefined)
    return await Promise.race([reading, timeout])
  } finally {
    clearTimeout(timer)
  }
}
