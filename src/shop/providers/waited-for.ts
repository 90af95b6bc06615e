import { setTimeout as sleep } from 'node:timers/promises'
import { leftMs } from '#values/deadline.ts'
import { waitElsewhere } from '#values/request-place.ts'
import type { PaymentProvider, UnknownOutcome } from './provider.ts'

/** What a request needs to store that the provider has not answered in time. */
const reserveMs = 500

const timedOut: UnknownOutcome = { kind: 'unknown', because: 'timeout' }

/**
 * Waits for the provider, in no place of the network, and only as long as the request has time: what becomes
 * of its answer later is looked up by a job.
 */
function ask<T>(provider: () => Promise<T>): Promise<T | UnknownOutcome> {
  const timeMs = leftMs(Number.POSITIVE_INFINITY) - reserveMs
  if (!Number.isFinite(timeMs)) return waitElsewhere(provider)
  if (timeMs <= 0) return Promise.resolve(timedOut)
  return waitElsewhere(() => Promise.race([provider(), sleep(timeMs, timedOut, { ref: false })]))
}

/** The provider, for whose answer a request waits no longer than it may. */
export const waitedFor = (provider: PaymentProvider): PaymentProvider => ({
  name: provider.name,
  callbackPath: provider.callbackPath,
  start: (request) => ask(() => provider.start(request)),
  confirm: (payment, means) => ask(() => provider.confirm(payment, means)),
  find: (payment) => ask(() => provider.find(payment)),
  cancel: (payment) => ask(() => provider.cancel(payment)),
  refund: (payment, request) => ask(() => provider.refund(payment, request)),
  verifyCallback: (request, now) => ask(() => provider.verifyCallback(request, now)),
  close: () => provider.close(),
})
