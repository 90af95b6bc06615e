import type { Stage } from '#http/pipeline/exchange.ts'

/** Does the slow work on a body, such as hashing a password, while no transaction waits for it. */
export const beforehandStage: Stage = {
  name: 'beforehand',
  prepare({ beforehand }) {
    if (!beforehand) return undefined
    return {
      says: {},
      step: async (exchange, next) => {
        const { input, ctx, params } = exchange
        exchange.input = { ...input, body: await beforehand(input.body, ctx, params) }
        return next()
      },
    }
  },
}
