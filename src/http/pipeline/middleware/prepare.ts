import { requireConfirmed } from '#http/exchange/confirmation.ts'
import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'

/** Does slow work, such as hashing a password, before the transaction begins. */
export const prepareMiddleware: Middleware<
  ValidatedExchange,
  Pick<ValidatedExchange, 'prepared'>,
  Outcome
> = {
  name: 'prepare',
  prepare({ prepare }) {
    if (!prepare) return undefined
    return {
      fragment: {},
      run: async (exchange, next) => {
        const { input, ctx, params } = exchange
        await requireConfirmed(exchange)
        return next({ prepared: await prepare(input.body, ctx, params) })
      },
    }
  },
}
