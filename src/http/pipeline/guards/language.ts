import type { Exchange, NegotiatedExchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import { languageOf } from '#http/message/language.ts'
import { isLocalized } from '#http/message/vary.ts'
import { defaultLanguage } from '#i18n/languages.ts'

/** Selects the language of a localized response; other responses have the default language. */
export const languageGuard: Guard<Exchange, Pick<NegotiatedExchange, 'language'>> = {
  name: 'language',
  prepare({ resource }) {
    const localized = isLocalized(resource)
    return {
      fragment: {},
      check: ({ request }) => ({
        language: localized ? languageOf(request.headers['accept-language']) : defaultLanguage,
      }),
    }
  },
}
