import { requireConfirmed } from '#http/exchange/confirmation.ts'
import type { AuthenticatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'

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
      run: ({ ctx, confirmation }, next) =>
        ctx.transaction(async (db) => {
          const outcome = next({ ctx: { ...ctx, db } })
          // An error waits too: another attempt may end payments of others first.
          if (confirmation) {
            await Promise.allSettled([outcome])
            await requireConfirmed({ confirmation })
          }
          return outcome
        }),
    }
  },
}
