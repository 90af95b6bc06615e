import type { Stage } from '#http/pipeline/exchange.ts'
import { countedRefusal } from '#http/rate-limit/middleware.ts'
import { type ErrorSettings, errorAnswer } from '#http/response/problems/response.ts'
import { Refusal } from '#values/problem.ts'

/** Turns a refusal into its answer; anything else thrown is a bug and flies on. */
export const refusalStage = (settings: ErrorSettings): Stage => ({
  name: 'refusals',
  prepare({ refusals = [] }) {
    return {
      says: { refusals },
      step: async (exchange, next) => {
        try {
          return await next()
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          const refused = error.status < 500 ? await countedRefusal(exchange, error) : error
          const { request, now, ctx, occasion } = exchange
          const [path = ''] = request.originalUrl.split('?', 1)
          const told = { path, requestId: ctx.requestId, now, ...occasion }
          return errorAnswer(refused, told, request.headers, settings)
        }
      },
    }
  },
})
