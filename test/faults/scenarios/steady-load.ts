import { randomUUID } from 'node:crypto'
import { createCaller } from '#test/support/services/server.ts'

/** What a steady load has got. */
export interface SteadyLoad {
  /** The number of responses by status; 0 counts connections that broke. */
  readonly statuses: ReadonlyMap<number, number>
  /** The IDs of the orders that were acknowledged. */
  readonly orderIds: readonly number[]
  /** Sends no further request and resolves once all are answered. */
  readonly stop: () => Promise<void>
}

/** The caller and the product of a load. */
export interface Shopper {
  readonly id: number
  readonly token: string
  readonly product: number
}

/** The size of a load. */
export interface LoadSize {
  readonly perSecond: number
  /** A slow machine gets fewer requests, so that none waits longer than a process takes to stop. */
  readonly maxInFlight: number
}

/**
 * Sends requests at a steady rate to one address: one in four places an order, once and without a retry;
 * the others read.
 */
export function startSteadyLoad(
  url: string,
  { id, token, product }: Shopper,
  { perSecond, maxInFlight }: LoadSize,
): SteadyLoad {
  const caller = createCaller(url, token)
  const statuses = new Map<number, number>()
  const orderIds: number[] = []
  const inFlight = new Set<Promise<void>>()
  const reads = [`/products/${product}`, `/users/${id}/orders?limit=5`, '/products?limit=5']

  const send = async (turn: number): Promise<void> => {
    const path = reads[turn % 4]
    const answer = await (path === undefined
      ? caller.request(
          'POST',
          `/users/${id}/orders`,
          { items: [{ product_id: product, quantity: 1 }] },
          { 'idempotency-key': randomUUID() },
        )
      : caller.request('GET', path)
    ).catch(() => undefined)
    const status = answer?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (path === undefined && status === 201) orderIds.push(answer?.json.id)
  }

  const startedAt = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    for (; sent < due && inFlight.size < maxInFlight; sent += 1) {
      const sending = send(sent).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    }
  }, 5)
  return {
    statuses,
    orderIds,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(inFlight)
      caller.close()
    },
  }
}
