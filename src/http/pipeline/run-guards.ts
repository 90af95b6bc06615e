import type { FastifyRequest } from 'fastify'
import type { Exchange, Guard } from './exchange.ts'
import { readApiKey } from './guards/api-key-location.ts'

/** A gate as it stands before one route. */
export type Check = NonNullable<ReturnType<Guard['prepare']>>

/** Judges the caller once more where the body says who it is. */
export function requireCaller(
  request: FastifyRequest,
  checks: readonly Check[],
): void | Promise<void> {
  const { exchange } = request
  const key = readApiKey(exchange.route, request)
  if (key === undefined) {
    if (exchange.deferredError) throw exchange.deferredError
    return
  }
  exchange.keyInBody = key
  exchange.deferredError = undefined
  return passGates(checks, exchange)
}

/** Lets the request in once every gate has; without a turn of the event loop where none waits. */
export function enter(
  checks: readonly Check[],
  exchange: Exchange,
  done: (error?: Error) => void,
): void {
  try {
    const pending = passGates(checks, exchange)
    if (pending) pending.then(() => done(), done)
    else done()
  } catch (error) {
    done(error as Error)
  }
}

/** Runs the gates in order; at once, where none has to wait. */
function passGates(checks: readonly Check[], exchange: Exchange, from = 0): void | Promise<void> {
  for (let at = from; at < checks.length; at++) {
    const pending = checks[at]?.check(exchange)
    if (pending) return pending.then(() => passGates(checks, exchange, at + 1))
  }
}
