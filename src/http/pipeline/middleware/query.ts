import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { type Codec, type CodecOptions, compileCodec } from '#http/codec/codec.ts'
import { coerceText } from '#http/codec/wire-text.ts'
import type { Route } from '#http/declare/route.ts'
import { stringEnum } from '#http/declare/schema.ts'
import type { Input } from '#http/pipeline/exchange.ts'
import { apiKeyField } from '#http/pipeline/guards/api-key-location.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import {
  pagingParameters,
  pagingSchemas,
  readListRequest,
  requireNoIssues,
  type SortFields,
  type SortFieldType,
} from '#http/response/pages.ts'
import { createMessage } from '#i18n/message.ts'
import type { FieldIssue } from '#values/problem.ts'

/** Parameters that every route accepts. */
const commonParameters = ['version', apiKeyField]

type QueryInput = Pick<Input, 'filters' | 'page' | 'include'>

/**
 * Compiles the validation of a route's query. The result throws 400/4003 that lists the unknown,
 * repeated and malformed parameters.
 */
export function compileQuery(
  route: Route,
  codecOptions: CodecOptions,
): (query: Readonly<Record<string, unknown>>) => QueryInput {
  const filters = compileFilters(route, codecOptions)
  const include = includeReader(route)
  const sortFields = sortsOf(route)
  const known = new Set<string>([
    ...commonParameters,
    ...(route.kind === 'list' ? pagingParameters : []),
    ...(include ? ['include'] : []),
    ...filters.keys(),
  ])
  const noQuery: QueryInput = {
    filters: {},
    page: readListRequest({}, sortFields, []),
    include: [],
  }
  return (raw) => {
    const names = Object.keys(raw)
    if (names.length === 0) return noQuery
    const issues: FieldIssue[] = []
    const query: Record<string, string> = {}
    for (const name of names) {
      const value = raw[name]
      if (!known.has(name)) issues.push({ field: name, message: createMessage('query.unknown') })
      else if (typeof value !== 'string') {
        issues.push({ field: name, message: createMessage('query.repeated') })
      } else query[name] = value
    }
    const read: QueryInput = {
      filters: readFilters(filters, query, issues),
      page: route.kind === 'list' ? readListRequest(query, sortFields, issues) : noQuery.page,
      include: include?.(query['include'], issues) ?? [],
    }
    requireNoIssues(issues)
    return read
  }
}

/** Describes the query parameters of a route, and the problem of any other. */
export function describeQuery(route: Route): OpenApiFragment {
  const { filters, kind, sortFields = [] } = route
  const values = includesOf(route)?.values
  const include: TProperties = !values
    ? {}
    : {
        include: Type.Array(stringEnum(values), {
          description: 'Related resources to embed, separated by commas.',
        }),
      }
  const paging = kind === 'list' ? pagingSchemas(sortFields) : {}
  return { problems: ['4003'], query: { ...filters?.properties, ...paging, ...include } }
}

function sortsOf({ resource, sortFields = [] }: Route): SortFields {
  const fields = resource.kind === 'collection' ? resource.item.schema.properties : {}
  return new Map(sortFields.map((name) => [name, kindOf(fields[name])]))
}

/** The type of the stored values of a sort; a sort without a field is by a count. */
function kindOf(schema: TSchema | undefined): SortFieldType {
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
    if (text !== undefined) read[name] = codec.decode(coerceText(text, schema), name, issues)
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
  return { groups, names, values: [...names, ...Object.keys(groups)] }
}

function includeReader(route: Route) {
  const includes = includesOf(route)
  if (!includes) return undefined
  const { groups, names, values } = includes
  return (text: string | undefined, issues: FieldIssue[]): readonly string[] => {
    const requested = text === undefined ? [] : text.split(',')
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
