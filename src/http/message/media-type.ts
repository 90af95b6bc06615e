import { versions } from './api-versions.ts'

/** The formats in which a collection is sent whole. */
export type ExportFormat = 'ndjson' | 'csv' | 'xlsx'

/** A media type of responses. */
export interface Representation {
  readonly format: 'json' | 'xml' | 'html' | 'ld+json' | 'event-stream' | ExportFormat
  /** The `Content-Type` of responses. */
  readonly contentType: string
  /** The API version that its name contains; undefined without one. */
  readonly version: number | undefined
  /** The part of an ETag that differs between media types. */
  readonly etagSuffix: string
  /** True where the text begins with a byte order mark. */
  readonly hasMark?: boolean
}

const charset = '; charset=utf-8'
const vendorName = 'application/vnd.cartwright.v'

/** `application/json`, the default. */
export const jsonRepresentation: Representation = {
  format: 'json',
  contentType: `application/json${charset}`,
  version: undefined,
  etagSuffix: '',
}
const xml: Representation = {
  format: 'xml',
  contentType: `application/xml${charset}`,
  version: undefined,
  etagSuffix: 'x',
}

/** The media type of the body of a QUERY (RFC 10008). */
export const queryType = 'application/x-www-form-urlencoded'

/** XML. */
export const xmlType = 'application/xml'

/** The media types of resources by name. With the same quality, the first one is preferred. */
export const representations: ReadonlyMap<string, Representation> = new Map([
  ...versions.flatMap((version) =>
    (['json', 'xml'] as const).map((format): [string, Representation] => {
      const type = `${vendorName}${version}+${format}`
      return [
        type,
        { format, contentType: type + charset, version, etagSuffix: format === 'xml' ? 'mx' : 'm' },
      ]
    }),
  ),
  ['application/json', jsonRepresentation],
  [xmlType, xml],
])

/** Newline-delimited JSON: the entities of a collection, one per line. */
export const ndjsonType = 'application/x-ndjson'
/** RFC 4180. */
export const csvType = 'text/csv'
/** The key of CSV that begins with a byte order mark, as Excel needs it: `text/csv;header=present;bom=1`. */
const markedCsvType = `${csvType};bom=1`
/** The media type of a workbook (ECMA-376). */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** True for a table, whose cells have no links. */
export const isTable = ({ format }: Pick<Representation, 'format'>): boolean =>
  format === 'csv' || format === 'xlsx'

/** The media type of tab-separated values (IANA). */
export const tsvType = 'text/tab-separated-values'

const unversioned = (
  format: Representation['format'],
  contentType: string,
): readonly [string, Representation] => [
  contentType.split(';', 1)[0] ?? '',
  { format, contentType, version: undefined, etagSuffix: '' },
]

const ndjson = unversioned('ndjson', ndjsonType + charset)

/** The media types of feeds. */
export const representationsWithStream: ReadonlyMap<string, Representation> = new Map([
  ...representations,
  ndjson,
  unversioned('event-stream', 'text/event-stream'),
])

/** The media types of lists. */
export const representationsWithExports: ReadonlyMap<string, Representation> = new Map([
  ...representations,
  ndjson,
  unversioned('csv', csvType + charset),
  [
    markedCsvType,
    {
      format: 'csv',
      contentType: `${csvType}${charset}; header=present`,
      version: undefined,
      etagSuffix: '',
      hasMark: true,
    },
  ],
  unversioned('xlsx', xlsxType),
])

/** The media types of resources with an HTML page. */
export const representationsWithPage: ReadonlyMap<string, Representation> = new Map([
  ...representations,
  [
    'text/html',
    { format: 'html', contentType: `text/html${charset}`, version: undefined, etagSuffix: 'h' },
  ],
])

/** JSON-LD, in the words of schema.org. */
export const linkedDataType = 'application/ld+json'

/** The media types of resources with linked data. */
export const representationsWithLinkedData: ReadonlyMap<string, Representation> = new Map([
  ...representations,
  [
    linkedDataType,
    {
      format: 'ld+json',
      contentType: `${linkedDataType}${charset}`,
      version: undefined,
      etagSuffix: 'l',
    },
  ],
])

/** A parsed media type (RFC 9110 section 8.3.1). */
interface MediaType {
  /** The type and subtype in lower case. */
  readonly type: string
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses a `Content-Type`, or one range of an `Accept`. Never throws. */
export function readMediaType(text: string): MediaType {
  const [type = '', ...rest] = splitUnquoted(text, ';')
  const parameters = rest.map((part): [string, string] => {
    const equals = part.indexOf('=')
    const value = part.slice(equals + 1).trim()
    const unquoted = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
    return [part.slice(0, Math.max(equals, 0)).trim().toLowerCase(), unquoted]
  })
  return { type: type.trim().toLowerCase(), parameters: new Map(parameters) }
}

/** Splits at a separator outside quoted strings (RFC 9110 section 5.6.4). */
function splitUnquoted(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/** The key of a range: its type, and whether CSV is to begin with a byte order mark. */
const formOf = ({ type, parameters }: MediaType): string =>
  type === csvType && parameters.get('bom') === '1' ? markedCsvType : type

/**
 * Parses an `Accept` into the quality of each range, from 0 to 1, by the key of the range: its type
 * by default. The highest quality of equal keys counts.
 */
export function readRanges(
  accept: string,
  keyOf: (range: MediaType) => string = formOf,
): ReadonlyMap<string, number> {
  const ranges = new Map<string, number>()
  for (const part of splitUnquoted(accept, ',')) {
    const range = readMediaType(part)
    if (range.type === '') continue
    const quality = Number(range.parameters.get('q') ?? '1')
    const valid = quality >= 0 && quality <= 1 ? quality : 0
    const key = keyOf(range)
    ranges.set(key, Math.max(valid, ranges.get(key) ?? 0))
  }
  return ranges
}

// Accepting these says nothing about other responses.
const problemTypes = ['application/problem+json', 'application/problem+xml']

/**
 * Returns the preferred media type of an `Accept` (RFC 9110 section 12.5.1); undefined if none is
 * acceptable. JSON if only problem media types are named and JSON is not excluded.
 */
export function negotiateMediaType(
  accept: string,
  available: ReadonlyMap<string, Representation> = representations,
): Representation | undefined {
  const ranges = readRanges(accept)
  if (ranges.size === 0) return jsonRepresentation
  const acceptsProblems = problemTypes.some((type) => (ranges.get(type) ?? 0) > 0)
  const fallback =
    acceptsProblems && ranges.get('application/json') !== 0 ? jsonRepresentation : undefined
  return preferredOf(ranges, available) ?? fallback
}

/**
 * Returns the available media type of the highest quality, the first of equal ones. With the same
 * quality, a type that is named wins over one that matches a wildcard; wildcards match only
 * `application/json`, `application/xml` and `text/html`.
 */
export function preferredOf<T>(
  ranges: ReadonlyMap<string, number>,
  available: ReadonlyMap<string, T>,
): T | undefined {
  let best: T | undefined
  let maxQuality = 0
  for (const [type, candidate] of available) {
    const named = ranges.get(type)
    // Qualities have three decimals, so half a step only breaks ties.
    const quality =
      named === undefined ? wildcardQuality(ranges, type) : named > 0 ? named + 0.0005 : 0
    if (quality > maxQuality) {
      best = candidate
      maxQuality = quality
    }
  }
  return best
}

function wildcardQuality(ranges: ReadonlyMap<string, number>, type: string): number {
  if (!plainTypes.has(type)) return 0
  return ranges.get(`${type.split('/', 1)[0]}/*`) ?? ranges.get('*/*') ?? 0
}

const plainTypes = new Set(['application/json', 'application/xml', 'text/html'])
