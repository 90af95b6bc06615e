import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { compileCodec } from '#http/codec/codec.ts'
import type { Codec, CodecOptions } from '#http/codec/value-codec.ts'
import { coerceText } from '#http/codec/wire-text.ts'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { timeParameters } from '#http/declare/times.ts'
import { apiKeyField } from '#http/exchange/api-key-location.ts'
import type { Input } from '#http/exchange/exchange.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import {
  feedParameters,
  feedSchemas,
  readFeedRequest,
} from '#http/response/pagination/feed-pages.ts'
import {
  pagingParameters,
  pagingSchemas,
  readListRequest,
  requireNoIssues,
  type SortFields,
  type SortFieldType,
  searchParameter,
} from '#http/response/pagination/list-pages.ts'
import { createMessage } from '#i18n/message.ts'
import type { Keywords } from '#schema/keywords.ts'
import { objectShapeOf, type Shape, shapeOf, withoutNull } from '#schema/shape.ts'
import { stringEnum } from '#schema/words.ts'
import type { FieldIssue } from '#values/problem.ts'
import { isStorableText } from '#values/text.ts'
import { isBlank } from '#values/text-key.ts'
import { declaredMaximum, limitNames, requireFewParameters } from './query-bounds.ts'

/** Parameters that every route accepts. */
export const commonParameters = ['version', apiKeyField]

type QueryInput = Pick<Input, 'filters' | 'page' | 'feed' | 'include'>

/** The commas that separate words. */
const commas = /(?<!\\),/

/**
 * Compiles the validation of a route's query. The result throws 400/4003 that lists the unknown,
 * repeated and malformed parameters, or 400/4001 if one is missing. A repeatable parameter without a
 * declared maximum is a TypeError at the start.
 */
export function compileQuery(
  route: Route,
  codecOptions: CodecOptions,
): (query: Readonly<Record<string, unknown>>) => QueryInput {
  const filters = compileFilters(route.filters?.properties ?? {}, codecOptions)
  const times = compileFilters(timesOf(route), codecOptions)
  const patterns = compilePatterns(route, codecOptions)
  const include = includeReader(route)
  const sortFields = sortsOf(route)
  const required = route.filters?.required ?? []
  const known = new Set<string>([...commonParameters, ...pagingOf(route).names, ...filters.keys()])
  const lists = new Map<string, RegExp | undefined>(include ? [['include', commas]] : [])
  for (const [name, { shape }] of filters) {
    if (shape.kind !== 'list') continue
    declaredMaximum(route, name, shape.schema.maxItems)
    lists.set(name, separatorOf(shape.items))
  }
  const noQuery: QueryInput = {
    filters: {},
    page: readListRequest({}, sortFields, {}, []),
    feed: readFeedRequest({}, {}, []),
    include: [],
  }
  return (raw) => {
    const names = Object.keys(raw)
    if (names.length === 0 && required.length === 0) return noQuery
    requireFewParameters(raw)
    const issues: FieldIssue[] = required.filter((name) => !(name in raw)).map(missing)
    const texts: Record<string, string> = {}
    const values: Record<string, readonly string[]> = {}
    const matched = new Map<string, PatternFilter>()
    for (const name of names) {
      const sent = raw[name] as string | readonly string[]
      const pattern = known.has(name)
        ? undefined
        : patterns.find(({ pattern }) => pattern.test(name))
      if (pattern) matched.set(name, pattern)
      const separator = pattern ? undefined : lists.get(name)
      if (pattern || lists.has(name)) values[name] = valuesOfList(sent, separator)
      else if (!known.has(name)) {
        issues.push({ field: name, message: createMessage('query.unknown') })
      } else if (typeof sent !== 'string') {
        issues.push({ field: name, message: createMessage('query.repeated') })
      } else if (name !== searchParameter || !isAbsentSearch(sent)) texts[name] = sent
    }
    const all = matched.size === 0 ? filters : new Map([...filters, ...matched])
    for (const filter of new Set(matched.values())) {
      const count = [...matched.values()].filter((each) => each === filter).length
      limitNames(filter.prefix, count, filter.maxNames, issues)
    }
    const found = readFilters(all, { ...texts, ...values }, issues)
    const limits = readFilters(times, texts, issues)
    const read: QueryInput = {
      filters: found,
      page:
        route.kind === 'list' ? readListRequest(texts, sortFields, limits, issues) : noQuery.page,
      feed: route.kind === 'follow' ? readFeedRequest(texts, found, issues) : noQuery.feed,
      include: include?.(values['include'] ?? [], issues) ?? [],
    }
    requireNoIssues(issues)
    return read
  }
}

/** True for a search in which there is nothing to read; one that cannot be stored is an error. */
const isAbsentSearch = (text: string): boolean => isBlank(text) && isStorableText(text)

/** Describes the query parameters of a route, and the problem of any other. */
export function describeQuery(route: Route): OpenApiFragment {
  const { filters } = route
  const values = includesOf(route)?.values
  const include: TProperties = !values
    ? {}
    : {
        include: Type.Array(stringEnum(values), {
          minItems: 1,
          description: 'Related resources to embed.',
        }),
      }
  const { schemas } = pagingOf(route)
  const anyNames = Object.entries(patternFilters(route)).map(([pattern, values]) => [
    prefixOf(pattern),
    mapOfFilters(pattern, values),
  ])
  return {
    problems: ['4003'],
    query: { ...filters?.properties, ...Object.fromEntries(anyNames), ...schemas, ...include },
  }
}

/** Every member of such an object is a parameter (OpenAPI: style form, exploded). */
const mapOfFilters = (pattern: string, schema: TSchema): TSchema => {
  const { description = '', maxProperties, ...values } = schema as TSchema & Keywords
  return Type.Unsafe({
    type: 'object',
    description,
    maxProperties,
    propertyNames: { pattern },
    additionalProperties: values,
  })
}

/** The parameters that limit the times of a list. */
const timesOf = ({ kind, resource }: Route): TProperties =>
  kind === 'list' && resource.kind === 'collection' ? timeParameters(resource) : {}

function pagingOf(route: Route): {
  readonly names: readonly string[]
  readonly schemas: TProperties
} {
  const { kind, sortFields = [] } = route
  if (kind === 'list') {
    const times = timesOf(route)
    const isSearched = searchParameter in (route.filters?.properties ?? {})
    const schemas = { ...pagingSchemas(sortFields, isSearched), ...times }
    return { names: [...pagingParameters, ...Object.keys(times)], schemas }
  }
  return kind === 'follow'
    ? { names: feedParameters, schemas: feedSchemas }
    : { names: [], schemas: {} }
}

function sortsOf({ resource, sortFields = [] }: Route): SortFields {
  const members = resource.kind === 'collection' ? objectShapeOf(resource.item.schema).members : []
  const types = new Map(members.map(({ name, shape }) => [name, sortTypeOf(shape)]))
  // A sort without a field is by a count.
  return new Map(sortFields.map((name) => [name, types.get(name) ?? 'integer']))
}

/** The type of the stored values of a field. */
function sortTypeOf(shape: Shape): SortFieldType {
  const { kind } = withoutNull(shape)
  if (kind === 'text' || kind === 'enum') return 'text'
  // Of an object, such as a rating, a list is sorted by one of its numbers.
  return kind === 'number' || kind === 'object' ? 'number' : 'integer'
}

/** What separates words in one text; undefined for texts that may have commas, which are repeated instead. */
const separatorOf = ({ kind, schema }: Shape): RegExp | undefined =>
  kind === 'text' && schema.pattern === undefined ? undefined : commas

/**
 * The values of a list parameter: of a repeated one each, and of a single one the parts between separators.
 * In any of them `\,` is a comma.
 */
const valuesOfList = (
  sent: string | readonly string[],
  separator: RegExp | undefined,
): readonly string[] => {
  const texts = typeof sent !== 'string' ? sent : separator ? sent.split(separator) : [sent]
  return [...new Set(texts.map((text) => text.replaceAll('\\,', ',')))]
}

const missing = (field: string): FieldIssue => ({
  field,
  message: createMessage('field.required'),
  missing: true,
})

interface Filter {
  readonly shape: Shape
  readonly codec: Codec
}
type Filters = ReadonlyMap<string, Filter>

/** A filter by a list of words whose names are of a pattern. */
interface PatternFilter extends Filter {
  readonly pattern: RegExp
  /** What the names begin with, before a dot. */
  readonly prefix: string
  readonly maxNames: number
}

const prefixOf = (pattern: string): string => pattern.replace(/^\^(\w+).*$/, '$1')

/** The filters by a list of words whose names are of a pattern, by that pattern. */
const patternFilters = ({ filters }: Route): Readonly<Record<string, TSchema>> =>
  (filters as { readonly patternProperties?: Record<string, TSchema> } | undefined)
    ?.patternProperties ?? {}

const compilePatterns = (route: Route, codecOptions: CodecOptions): readonly PatternFilter[] =>
  Object.entries(patternFilters(route)).map(([pattern, schema]) => ({
    ...compileFilter(schema, codecOptions),
    pattern: new RegExp(pattern, 'u'),
    prefix: prefixOf(pattern),
    maxNames: declaredMaximum(route, pattern, (schema as Keywords).maxProperties),
  }))

const compileFilter = (schema: TSchema, codecOptions: CodecOptions): Filter => ({
  shape: shapeOf(schema),
  codec: compileCodec(schema, codecOptions),
})

const compileFilters = (schemas: TProperties, codecOptions: CodecOptions): Filters =>
  new Map(
    Object.entries(schemas).map(([name, schema]) => [name, compileFilter(schema, codecOptions)]),
  )

function readFilters(
  filters: Filters,
  query: Readonly<Record<string, string | readonly string[]>>,
  issues: FieldIssue[],
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = {}
  for (const [name, { shape, codec }] of filters) {
    const sent = query[name]
    if (sent === undefined) continue
    const found: FieldIssue[] = []
    read[name] = codec.decode(coerceText(sent, shape), name, found)
    // A list is named once, not each place of a wrong value.
    issues.push(...found.slice(0, 1).map((issue) => ({ ...issue, field: name })))
  }
  return read
}

function includesOf({ resource, kind }: Route) {
  const definition = definitionOf(resource)
  if (definition.kind === 'document' || (kind !== 'read' && kind !== 'list')) return undefined
  const groups: Readonly<Record<string, readonly string[]>> = definition.includeGroups ?? {}
  const computedIncludes = kind === 'read' ? Object.keys(definition.computedIncludes ?? {}) : []
  const names = [...Object.keys(definition.includes ?? {}), ...computedIncludes]
  if (names.length === 0) return undefined
  return { groups, names, values: [...names, ...Object.keys(groups)] }
}

function includeReader(route: Route) {
  const includes = includesOf(route)
  if (!includes) return undefined
  const { groups, names, values } = includes
  return (requested: readonly string[], issues: FieldIssue[]): readonly string[] => {
    if (requested.some((value) => !values.includes(value))) {
      issues.push({
        field: 'include',
        message: createMessage('field.enum', { values: values.join(', ') }),
      })
    }
    const expanded = new Set(requested.flatMap((value) => groups[value] ?? [value]))
    return names.filter((name) => expanded.has(name))
  }
}
