import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { maxRequestTargetLength } from '#http/message/request-validity.ts'
import { maxParameters } from '#http/pipeline/middleware/query-bounds.ts'
import { acceptsQuery, queryLimitBytes } from '#http/server/body/query-method.ts'
import type { Keywords } from '#schema/keywords.ts'
import { type Shape, shapeOf } from '#schema/shape.ts'

/** A query, and what is large in it. */
export interface NamedQuery {
  readonly name: string
  readonly query: string
  /** True for one that is too long for an address and is sent as the body of QUERY. */
  readonly isBody: boolean
  /** True for one of the sorts. */
  readonly isOneOfMany?: boolean
}

/** What queries are made of. */
export interface QueryParts {
  /** Words of many rows of the shop. */
  readonly words: readonly string[]
  /** The last page of the list by 100 entries. */
  readonly lastPage: number
}

/** What an address has room for beside its path. */
const roomInAddress = maxRequestTargetLength - 200

/** Returns the largest queries of a route: of a list by its filters, includes, facets, sorts and pages. */
export function largestQueries(route: Route, parts: QueryParts): readonly NamedQuery[] {
  const includes = includesOf(route)
  const include = includes.length > 0 ? { include: includes.join() } : {}
  if (!acceptsQuery(route)) {
    return includes.length === 0 ? [] : [address('all includes', include)]
  }
  const page = { limit: '100', ...include }
  const filters = filtersOf(route, parts, roomInAddress)
  const sorts = route.sortFields ?? []
  const lists = route.kind === 'list'
  return [
    address('largest page', { limit: '100' }),
    address('largest page with all includes', page),
    ...sorts.flatMap((sort) => [
      oneOfMany(`largest page by ${sort}`, { ...page, sort }),
      oneOfMany(`largest page by ${sort}, descending`, { ...page, sort, order: 'desc' }),
      oneOfMany(`last page by ${sort}`, { ...page, sort, page: String(parts.lastPage) }),
    ]),
    ...(lists ? [address('a page beyond all', { page: '1000000000', limit: '100' })] : []),
    ...filters.flatMap(([name, value]) => [
      address(`largest ${name}`, { ...page, [name]: value }),
      ...sorts.map((sort) =>
        oneOfMany(`largest ${name} by ${sort}`, { limit: '100', [name]: value, sort }),
      ),
    ]),
    address('every filter', fit({ ...page, ...Object.fromEntries(filters) }, roomInAddress)),
    body(
      'every filter',
      fit(
        { ...page, ...Object.fromEntries(filtersOf(route, parts, queryLimitBytes)) },
        queryLimitBytes,
      ),
    ),
    body(
      'unknown parameters',
      Object.fromEntries(numbered(maxParameters, (at) => [`p${at}`, 'x'.repeat(300)])),
    ),
    body('more parameters than may be', Object.fromEntries(numbered(4000, (at) => [`p${at}`, '']))),
    body('separators', undefined, '&'.repeat(queryLimitBytes)),
    body('escapes', undefined, `cursor=${'%41'.repeat(queryLimitBytes / 3 - 3)}`),
    address('a long cursor', { cursor: 'A'.repeat(roomInAddress) }),
  ]
}

const numbered = <T>(count: number, of: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => of(at))

const textOf = (query: Readonly<Record<string, string>>): string =>
  new URLSearchParams(query).toString()
const address = (name: string, query: Readonly<Record<string, string>>): NamedQuery => ({
  name,
  query: textOf(query),
  isBody: false,
})
const oneOfMany = (name: string, query: Readonly<Record<string, string>>): NamedQuery => ({
  ...address(name, query),
  isOneOfMany: true,
})
const body = (
  name: string,
  query: Readonly<Record<string, string>> | undefined,
  text = textOf(query ?? {}),
): NamedQuery => ({ name: `QUERY ${name}`, query: text, isBody: true })

/** Leaves out the longest parameters until the others fit. */
function fit(
  query: Readonly<Record<string, string>>,
  room: number,
): Readonly<Record<string, string>> {
  const entries = Object.entries(query).slice(0, maxParameters)
  while (textOf(Object.fromEntries(entries)).length > room) {
    const lengths = entries.map(([, value]) => value.length)
    const longest = lengths.indexOf(Math.max(...lengths))
    const [name = '', value = ''] = entries[longest] ?? []
    entries[longest] = [name, value.slice(0, Math.floor(value.length / 2)).replace(/,[^,]*$/, '')]
  }
  return Object.fromEntries(entries)
}

function includesOf({ resource, kind }: Route): readonly string[] {
  const definition = definitionOf(resource)
  if (definition.kind === 'document' || (kind !== 'read' && kind !== 'list')) return []
  const computed = kind === 'read' ? Object.keys(definition.computedIncludes ?? {}) : []
  return [...Object.keys(definition.includes ?? {}), ...computed]
}

/** Returns every filter with its largest value that leaves room for the rest of a query. */
function filtersOf(
  { filters }: Route,
  parts: QueryParts,
  room: number,
): readonly (readonly [string, string])[] {
  const { patternProperties = {} } = (filters ?? {}) as {
    readonly patternProperties?: Readonly<Record<string, TSchema & Keywords>>
  }
  const named = Object.entries<TSchema>(filters?.properties ?? {})
  const byPattern = Object.entries(patternProperties).flatMap(([pattern, schema]) =>
    matching(pattern, schema.maxProperties ?? 1).map((name) => [name, schema] as const),
  )
  return [...named, ...byPattern].map(([name, schema]) => [
    name,
    largestFilter(shapeOf(schema), parts, room - 200),
  ])
}

function largestFilter(shape: Shape, parts: QueryParts, room: number): string {
  switch (shape.kind) {
    case 'nullable':
      return largestFilter(shape.of, parts, room)
    case 'list': {
      const count = shape.schema.maxItems ?? 1
      return [...new Set(entriesOf(shape.items, parts, count))].slice(0, count).join()
    }
    case 'enum':
      return shape.values.at(-1) ?? ''
    case 'text':
      return shape.schema.pattern === undefined && shape.schema.format === undefined
        ? textOfWords(parts, Math.min(room / 2, shape.schema.maxLength ?? room))
        : String(shape.schema.examples?.[0] ?? 'GB')
    case 'instant':
      return '2026-01-01T00:00:00.000Z'
    case 'boolean':
      return 'true'
    default:
      return '1'
  }
}

const textOfWords = ({ words }: QueryParts, length: number): string =>
  `${words.join(' ')} `
    .repeat(Math.ceil(length / Math.max(1, words.join(' ').length)))
    .slice(0, length)

function entriesOf(shape: Shape, { words }: QueryParts, count: number): readonly string[] {
  if (shape.kind === 'enum') return shape.values
  const { pattern } = shape.schema
  if (pattern !== undefined) return matching(pattern, count)
  return [...words, ...numbered(count, (at) => `${'é'.repeat(15)}${at}`)]
}

/** Returns different texts of a pattern. */
const matching = (pattern: string, count: number): readonly string[] => {
  const texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), {
    numRuns: 40 * count,
    seed: 1,
  })
  return [...new Set(texts)].toSorted((a, b) => a.length - b.length).slice(0, count)
}
