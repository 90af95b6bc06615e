import { versions } from '#http/codec/versions.ts'

/** A form that resources are told in. */
export interface Representation {
  readonly format: 'json' | 'xml' | 'html'
  /** The Content-Type of answers in it. */
  readonly contentType: string
  /** The version of the API that its name tells; undefined where it tells none. */
  readonly version: number | undefined
  /** Tells its ETags from those of the other forms. */
  readonly mark: string
}

const charset = '; charset=utf-8'
const vendorName = 'application/vnd.cartwright.v'

/** What is sent where nothing else is asked for. */
export const json: Representation = {
  format: 'json',
  contentType: `application/json${charset}`,
  version: undefined,
  mark: '',
}
const xml: Representation = {
  format: 'xml',
  contentType: `application/xml${charset}`,
  version: undefined,
  mark: 'x',
}

/** Every form, by its media type; of two as welcome to a client, the first is sent. */
export const representations: ReadonlyMap<string, Representation> = new Map([
  ...versions.flatMap((version) =>
    (['json', 'xml'] as const).map((format): [string, Representation] => {
      const type = `${vendorName}${version}+${format}`
      return [
        type,
        { format, contentType: type + charset, version, mark: format === 'xml' ? 'mx' : 'm' },
      ]
    }),
  ),
  ['application/json', json],
  ['application/xml', xml],
])

/** The media types of the form of a plain one that name a version. */
export const vendorTypesOf = (plainType: string, version: number): readonly string[] => {
  const plain = representations.get(plainType)
  return [...representations].flatMap(([type, { format, version: named }]) =>
    plain?.version === undefined && plain?.format === format && named === version ? [type] : [],
  )
}

/** Every form of a resource that has a page for people too. */
export const representationsWithPage: ReadonlyMap<string, Representation> = new Map([
  ...representations,
  [
    'text/html',
    { format: 'html', contentType: `text/html${charset}`, version: undefined, mark: 'h' },
  ],
])

/** A media type, lower-cased, and its parameters. */
export interface MediaType {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Reads a Content-Type, or one part of an Accept (RFC 9110 8.3.1); never throws. */
export function readMediaType(text: string): MediaType {
  const [type = '', ...rest] = splitUnquoted(text, ';')
  const parameters = rest.map((part): [string, string] => {
    const equals = part.indexOf('=')
    const value = part.slice(equals + 1).trim()
    const bare = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
    return [part.slice(0, Math.max(equals, 0)).trim().toLowerCase(), bare]
  })
  return { type: type.trim().toLowerCase(), parameters: new Map(parameters) }
}

/** Splits at a separator outside of quoted strings. */
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

/**
 * How welcome each range of an Accept is, from 0 to 1; the most of two of the same name, which is
 * the type alone by default.
 */
export function readRanges(
  accept: string,
  nameOf: (range: MediaType) => string = ({ type }) => type,
): ReadonlyMap<string, number> {
  const ranges = new Map<string, number>()
  for (const part of splitUnquoted(accept, ',')) {
    const range = readMediaType(part)
    if (range.type === '') continue
    const quality = Number(range.parameters.get('q') ?? '1')
    const sane = quality >= 0 && quality <= 1 ? quality : 0
    const name = nameOf(range)
    ranges.set(name, Math.max(sane, ranges.get(name) ?? 0))
  }
  return ranges
}

/** Media types of errors; who asks for one says nothing of what success looks like. */
const problemTypes = ['application/problem+json', 'application/problem+xml']

/**
 * The form that an Accept welcomes most (RFC 9110 12.5.1); undefined where it welcomes none. Who
 * asks for the form of errors alone gets JSON.
 */
export function negotiate(
  accept: string,
  forms: ReadonlyMap<string, Representation> = representations,
): Representation | undefined {
  const ranges = readRanges(accept)
  if (ranges.size === 0) return json
  const asksForProblems = problemTypes.some((type) => (ranges.get(type) ?? 0) > 0)
  const usual = asksForProblems && ranges.get('application/json') !== 0 ? json : undefined
  return mostPreferred(ranges, forms) ?? usual
}

/**
 * The form that ranges welcome most, the first of two as welcome. A form that they name goes before
 * one that they take as well, and what the plain media types are is all that is meant by `*`.
 */
export function mostPreferred<Form>(
  ranges: ReadonlyMap<string, number>,
  forms: ReadonlyMap<string, Form>,
): Form | undefined {
  let best: Form | undefined
  let most = 0
  for (const [type, form] of forms) {
    const named = ranges.get(type)
    // Half a step of a quality, of which three decimals count.
    const acceptedCoding =
      named === undefined ? wildcard(ranges, type) : named > 0 ? named + 0.0005 : 0
    if (acceptedCoding > most) {
      best = form
      most = acceptedCoding
    }
  }
  return best
}

function wildcard(ranges: ReadonlyMap<string, number>, type: string): number {
  if (!plainTypes.has(type)) return 0
  return ranges.get(`${type.split('/', 1)[0]}/*`) ?? ranges.get('*/*') ?? 0
}

const plainTypes = new Set(['application/json', 'application/xml', 'text/html'])
