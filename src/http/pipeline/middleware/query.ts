import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { type Codec, type CodecOptions, compileCodec } from '#http/codec/codec.ts'
import { typedFromText } from '#http/codec/wire-text.ts'
import type { Route } from '#http/declare/route.ts'
import { oneOf } from '#http/declare/schema.ts'
import type { Input } from '#http/pipeline/exchange.ts'
import { keyName } from '#http/pipeline/guards/api-key-location.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import {
  describePaging,
  pagingParameters,
  readListRequest,
  requireNoIssues,
  type SortKind,
  type Sorts,
} from '#http/response/pages.ts'
import { createMessage } from '#i18n/message.ts'
import type { FieldIssue } from '#values/problem.ts'

/** Parameters that belong to the request as a whole and are understood everywhere. */
const universal = ['version', keyName]

type Reading = Pick<Input, 'filters' | 'page' | 'include'>

/**
 * Compiles the reader of a route's query string: unknown, repeated and malformed parameters are
 * refused with 400/4003, each by name.
 */
export function compileQuery(
  route: Route,
  codecOptions: CodecOptions,
): (query: Readonly<Record<string, unknown>>) => Reading {
  const filters = compileFilters(route, codecOptions)
  const include = includeReader(route)
  const sorts = sortsOf(route)
  const known = new Set<string>([
    ...universal,
    ...(route.kind === 'list' ? pagingParameters : []),
    ...(include ? ['include'] : []),
    ...filters.keys(),
  ])
  const nothing: Reading = { filters: {}, page: readListRequest({}, sorts, []), include: [] }
  return (raw) => {
    const names = Object.keys(raw)
    if (names.length === 0) return nothing
    const issues: FieldIssue[] = []
    const query: Record<string, string> = {}
    for (const name of names) {
      const value = raw[name]
      if (!known.has(name)) issues.push({ field: name, message: createMessage('query.unknown') })
      else if (typeof value !== 'string') {
        issues.push({ field: name, message: createMessage('query.repeated') })
      } else query[name] = value
    }
    const read: Reading = {
      filters: readFilters(filters, query, issues),
      page: route.kind === 'list' ? readListRequest(query, sorts, issues) : nothing.page,
      include: include?.(query['include'], issues) ?? [],
    }
    requireNoIssues(issues)
    return read
  }
}

/** What a route reads of its query, and that it refuses all else. */
export function describeQuery(route: Route): OpenApiFragment {
  const { filters, kind, sorts = [] } = route
  const words = includesOf(route)?.words
  const include: TProperties = !words
    ? {}
    : {
        include: Type.Array(oneOf(words), {
          description: 'Related resources to embed, with commas between.',
        }),
      }
  const paging = kind === 'list' ? describePaging(sorts) : {}
  return { problems: ['4003'], query: { ...filters?.properties, ...paging, ...include } }
}

function sortsOf({ resource, sorts = [] }: Route): Sorts {
  const fields = resource.kind === 'collection' ? resource.item.schema.properties : {}
  return new Map(sorts.map((name) => [name, kindOf(fields[name])]))
}

/** What a sort's values are inside, by the field it is named after; without one, a count. */
function kindOf(schema: TSchema | undefined): SortKind {
  if (schema === undefined) return 'integer'
  const { type, logical, anyOf } = schema as Record<string, unknown>
  if (Array.isArray(anyOf)) return kindOf(anyOf[0])
  if (logical !== undefined || type === 'integer') return 'integer'
  return type === 'string' ? 'text' : 'number'
}

type Filters = ReadonlyMap<string, { readonly schema: TSchema; readonly codec: Codec }>

const compileFilters = ({ filters }: Route, codecOptions: CodecOptions): Filters =>
  new Map(
    Object.entries(filters?.properties ?? {}).map(([name, schema]) => [
      name,
      { schema, codec: compileCodec(schema, codecOptions) },
    ]),
  )

function readFilters(
  filters: Filters,
  query: Readonly<Record<string, string>>,
  issues: FieldIssue[],
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = {}
  for (const [name, { schema, codec }] of filters) {
    const text = query[name]
    if (text !== undefined) read[name] = codec.decode(typedFromText(text, schema), name, issues)
  }
  return read
}

function includesOf({ resource, kind }: Route) {
  const definition = resource.kind === 'collection' ? resource.item : resource
  if (definition.kind === 'document' || (kind !== 'read' && kind !== 'list')) return undefined
  const groups: Readonly<Record<string, readonly string[]>> = definition.includeGroups ?? {}
  const computedIncludes = kind === 'read' ? Object.keys(definition.computedIncludes ?? {}) : []
  const names = [...Object.keys(definition.includes ?? {}), ...computedIncludes]
  if (names.length === 0) return undefined
  return { groups, names, words: [...names, ...Object.keys(groups)] }
}

function includeReader(route: Route) {
  const known = includesOf(route)
  if (!known) return undefined
  const { groups, names, words } = known
  return (text: string | undefined, issues: FieldIssue[]): readonly string[] => {
    const asked = text === undefined ? [] : text.split(',')
    if (asked.some((word) => !words.includes(word))) {
      issues.push({
        field: 'include',
        message: createMessage('field.enum', { values: words.join(', ') }),
      })
    }
    const wanted = new Set(asked.flatMap((word) => groups[word] ?? [word]))
    return names.filter((name) => wanted.has(name))
  }
}
