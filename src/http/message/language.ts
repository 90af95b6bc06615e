import { defaultLanguage, type Language, languages } from '#i18n/languages.ts'

interface Range {
  /** The first subtag in lower case, or `*`. */
  readonly primary: string
  readonly isWhole: boolean
  readonly quality: number
}

const rangeForm = /^([a-z]{1,8}|\*)((?:-[a-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q=([01](?:\.\d{0,3})?))?$/

const known = Object.keys(languages) as readonly Language[]

/**
 * Returns the best language for an Accept-Language by lookup (RFC 4647 3.4; RFC 9110 12.5.4), so
 * `zh-CN` matches `zh`; English where none matches. Never throws.
 */
export function languageOf(accepted: string | undefined): Language {
  if (accepted === undefined || accepted === '*') return defaultLanguage
  const ranges = accepted.toLowerCase().split(',').flatMap(readRange)
  // Only a whole language is excluded by q=0: es;q=0 excludes es-MX, es-MX;q=0 leaves es.
  const excluded = new Set(
    ranges.flatMap(({ primary, isWhole, quality }) => (isWhole && quality === 0 ? primary : [])),
  )
  const offered = known.filter((language) => !excluded.has(language))
  const wanted = ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { primary } of wanted) {
    const found = primary === '*' ? offered[0] : offered.find((language) => language === primary)
    if (found) return found
  }
  return defaultLanguage
}

/** Parses one range of an Accept-Language; a malformed one is ignored. */
function readRange(text: string): readonly Range[] {
  const [, primary, further, quality] = rangeForm.exec(text.trim()) ?? []
  if (primary === undefined) return []
  return [{ primary, isWhole: further === '', quality: Math.min(Number(quality ?? 1), 1) }]
}
