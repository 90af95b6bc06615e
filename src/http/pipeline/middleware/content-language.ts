import type { NegotiatedExchange } from '#http/pipeline/exchange.ts'
import { type Response, withHeaders } from '#http/pipeline/response.ts'
import type { Middleware } from '#http/pipeline/step.ts'
import { isLocalized } from '#http/response/vary.ts'

/** Sets Content-Language on localized responses. */
export const contentLanguageMiddleware: Middleware<NegotiatedExchange, void, Response> = {
  name: 'content language',
  prepare({ resource }) {
    if (!isLocalized(resource)) return undefined
    return {
      fragment: { requestHeaders: ['Accept-Language'], responseHeaders: ['Content-Language'] },
      run: async ({ language }, next) =>
        withHeaders(await next(), { 'content-language': language }),
    }
  },
}
