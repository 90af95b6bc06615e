import type { AuthenticatedExchange } from '#http/exchange/exchange.ts'
import type { Response } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { pathOf } from '#http/message/url-path.ts'
import { ReplayedProblem } from '#http/pipeline/idempotency/stored-response.ts'
import { countedProblem } from '#http/rate-limit/middleware.ts'
import { type ErrorSettings, problemResponse } from '#http/response/problems/response.ts'
import { Problem } from '#values/problem.ts'

/** Turns a Problem into its response; other errors are bugs and pass through. */
export const problemMiddleware = (
  settings: ErrorSettings,
): Middleware<AuthenticatedExchange, void, Response> => ({
  name: 'problems',
  prepare({ problems = [] }) {
    return {
      fragment: { problems },
      run: async (exchange, next) => {
        try {
          return await next()
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          const known = error.status < 500 ? await countedProblem(exchange, error) : error
          const { request, now } = exchange
          const path = pathOf(request.originalUrl)
          const first = error instanceof ReplayedProblem ? error.first : undefined
          const context = { path, requestId: request.id, now, ...first }
          return problemResponse(known, context, request.headers, settings)
        }
      },
    }
  },
})
