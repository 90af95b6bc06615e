import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'

/** Does slow work on the body, such as hashing a password, before the transaction begins. */
export const prepareBodyMiddleware: Middleware<
  ValidatedExchange,
  Pick<ValidatedExchange, 'input'>,
  Outcome
> = {
  name: 'prepare body',
  prepare({ prepareBody }) {
    if (!prepareBody) return undefined
    return {
      fragment: {},
      run: async ({ input, ctx, params }, next) =>
        next({ input: { ...input, body: await prepareBody(input.body, ctx, params) } }),
    }
  },
}
