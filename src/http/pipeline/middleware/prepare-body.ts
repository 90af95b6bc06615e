import type { Middleware } from '#http/pipeline/exchange.ts'

/** Does the slow work on a body, such as hashing a password, while no transaction waits for it. */
export const prepareBodyMiddleware: Middleware = {
  name: 'beforehand',
  prepare({ prepareBody }) {
    if (!prepareBody) return undefined
    return {
      fragment: {},
      step: async (exchange, next) => {
        const { input, ctx, params } = exchange
        exchange.input = { ...input, body: await prepareBody(input.body, ctx, params) }
        return next()
      },
    }
  },
}
