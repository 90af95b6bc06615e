import type { AuthenticatedExchange } from '#http/pipeline/exchange.ts'
import type { Outcome } from '#http/pipeline/response.ts'
import type { Middleware } from '#http/pipeline/step.ts'

/**
 * Runs a write in one transaction, which a problem rolls back; may run it again after a conflict.
 */
export const transactionMiddleware: Middleware<
  AuthenticatedExchange,
  Pick<AuthenticatedExchange, 'ctx'>,
  Outcome
> = {
  name: 'transaction',
  prepare({ method, transactions }) {
    if (method === 'GET' || transactions === 'own') return undefined
    return {
      fragment: { problems: ['4091'] },
      run: ({ ctx }, next) => ctx.transaction((db) => next({ ctx: { ...ctx, db } })),
    }
  },
}
