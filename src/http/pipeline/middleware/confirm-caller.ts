import type { Actor } from '#http/declare/actor.ts'
import type { AdmittedExchange } from '#http/pipeline/exchange.ts'
import {
  type Authentication,
  confirmActor,
  permitsAsMuch,
} from '#http/pipeline/guards/authentication.ts'
import type { Outcome } from '#http/pipeline/response.ts'
import type { Middleware } from '#http/pipeline/step.ts'
import { problem } from '#values/problem.ts'

/** A body that arrives later than this after the header fields is late. */
const lateAfterMs = 100

/**
 * Checks in the transaction of a write that the credential still permits what it did when the header
 * fields arrived: for administrators and clients always, for others if the body was late. Otherwise
 * a request whose body is held back would outlive the end of its credential. Throws the problem of
 * the credential, or 403/4031.
 */
export const confirmCallerMiddleware = (
  authentication: Authentication,
): Middleware<AdmittedExchange, void, Outcome> => ({
  name: 'confirm caller',
  prepare({ access, method }) {
    if (method === 'GET' || access.kind === 'no-authentication') return undefined
    return {
      fragment: {},
      run: async (exchange, next) => {
        const { actor, ctx, now, arrivedAtMs } = exchange
        const isLate = performance.now() - arrivedAtMs > lateAfterMs
        if (actor.credential !== null && (isLate || mayAdminister(actor))) {
          const found = await confirmActor(authentication, exchange, ctx.db, now)
          if (!permitsAsMuch(found, actor)) throw problem('4031', 'detail.permission_changed')
        }
        return next()
      },
    }
  },
})

const mayAdminister = ({ role }: Actor): boolean => role !== 'customer' && role !== 'guest'
