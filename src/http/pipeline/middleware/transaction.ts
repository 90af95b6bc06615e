import type { AuthenticatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'

/** The caller that was assumed is another one now; the request is run again. */
class OtherCallerError extends Error {
  override readonly name = 'OtherCallerError'
}

async function requireConfirmed(
  confirmation: Promise<boolean>,
  work: Promise<unknown>,
): Promise<void> {
  await Promise.allSettled([work])
  if (!(await confirmation)) throw new OtherCallerError()
}

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
          if (confirmation) await requireConfirmed(confirmation, outcome)
          return outcome
        }),
    }
  },
}
