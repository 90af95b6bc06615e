import { isLocalized } from '#http/declare/resource.ts'
import { type Guard, type Middleware, withHeaders } from '#http/pipeline/exchange.ts'
import { defaultLanguage, type Language, languages } from '#i18n/languages.ts'

interface Range {
  /** The first subtag, lower-cased, or `*`. */
  readonly primary: string
  readonly isWhole: boolean
  readonly quality: number
}

const rangeForm = /^([a-z]{1,8}|\*)((?:-[a-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q=([01](?:\.\d{0,3})?))?$/

/**
 * The language that an Accept-Language welcomes most, by lookup (RFC 4647 3.4; RFC 9110 12.5.4):
 * `zh-CN` is content with `zh`. English where it names none that is spoken; never throws.
 */
export function languageOf(accepted: string | undefined): Language {
  if (accepted === undefined || accepted === '*') return defaultLanguage
  const ranges = accepted.toLowerCase().split(',').flatMap(readRange)
  // What is refused is refused as a whole: es;q=0 takes es from who asked for es-MX, not the reverse.
  const refused = new Set(
    ranges.flatMap(({ primary, isWhole, quality }) => (isWhole && quality === 0 ? primary : [])),
  )
  const offered = localized.filter((language) => !refused.has(language))
  const wanted = ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { primary } of wanted) {
    const found = primary === '*' ? offered[0] : offered.find((language) => language === primary)
    if (found) return found
  }
  return defaultLanguage
}

const localized = Object.keys(languages) as readonly Language[]

/** Reads one range of an Accept-Language; what is none is passed over. */
function readRange(text: string): readonly Range[] {
  const [, primary, further, quality] = rangeForm.exec(text.trim()) ?? []
  if (primary === undefined) return []
  return [{ primary, isWhole: further === '', quality: Math.min(Number(quality ?? 1), 1) }]
}

/** Finds the language of an answer that holds sentences; of other answers nobody asks. */
export const languageGuard: Guard = {
  name: 'language',
  prepare({ resource }) {
    if (!isLocalized(resource)) return undefined
    return {
      fragment: {},
      check: (exchange) => {
        const accepted = exchange.request.headers['accept-language']
        if (accepted === undefined) return
        exchange.ctx = { ...exchange.ctx, language: languageOf(accepted) }
      },
    }
  },
}

/** Tells the language of an answer that holds sentences. */
export const languageMiddleware: Middleware = {
  name: 'language',
  prepare({ resource }) {
    if (!isLocalized(resource)) return undefined
    return {
      fragment: { responseHeaders: ['Content-Language'] },
      step: async ({ ctx }, next) =>
        withHeaders(await next(), { 'content-language': ctx.language }),
    }
  },
}
