import type { Middleware } from '#http/pipeline/exchange.ts'

/**
 * Puts everything a write does into one transaction, which a refusal rolls back; what has to wait
 * for somebody else is done after it is durable.
 */
export const transactionMiddleware: Middleware = {
  name: 'transaction',
  prepare({ method, transactions }) {
    if (method === 'GET' || transactions === 'own') return undefined
    return {
      fragment: { problems: ['4091'] },
      step: async (exchange, next) => {
        const { ctx } = exchange
        const answer = await ctx.transaction((db) => {
          exchange.ctx = { ...ctx, db }
          return next()
        })
        exchange.ctx = ctx
        return answer.afterCommit ? answer.afterCommit() : answer
      },
    }
  },
}
