import type { NegotiatedExchange } from '#http/exchange/exchange.ts'
import { type Response, withHeaders } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { isLocalized } from '#http/message/vary.ts'

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
