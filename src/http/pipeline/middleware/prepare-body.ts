import type { ValidatedExchange } from '#http/pipeline/exchange.ts'
import type { Outcome } from '#http/pipeline/response.ts'
import type { Middleware } from '#http/pipeline/step.ts'

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
