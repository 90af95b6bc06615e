import type { Middleware } from '#http/pipeline/exchange.ts'
import { countedProblem } from '#http/rate-limit/middleware.ts'
import { type ErrorSettings, problemResponse } from '#http/response/problems/response.ts'
import { Problem } from '#values/problem.ts'

/** Turns a refusal into its answer; anything else thrown is a bug and flies on. */
export const problemMiddleware = (settings: ErrorSettings): Middleware => ({
  name: 'problems',
  prepare({ problems = [] }) {
    return {
      fragment: { problems },
      step: async (exchange, next) => {
        try {
          return await next()
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          const refused = error.status < 500 ? await countedProblem(exchange, error) : error
          const { request, now, ctx, errorContext } = exchange
          const [path = ''] = request.originalUrl.split('?', 1)
          const told = { path, requestId: ctx.requestId, now, ...errorContext }
          return problemResponse(refused, told, request.headers, settings)
        }
      },
    }
  },
})
