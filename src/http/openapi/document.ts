import type { TObject } from 'typebox'
import type { Json } from '#http/codec/wire-schema.ts'
import type { SecurityScheme } from '#http/declare/authentication.ts'
import type { Tag } from '#http/declare/operation-options.ts'
import type { OperationKind, Route } from '#http/declare/route.ts'
import type { DescribedRoute } from '#http/pipeline/compile.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import { errorSchema, ProblemDetails } from '#http/response/problems/schema.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import { type Components, createComponents } from './components.ts'
import { toPascalCase } from './names.ts'
import { describeOperation, readableName, routeSecuritySchemes, tagOf } from './operations.ts'
import { type DocumentContext, headersOfProblemsIn, statusesOf } from './problem-responses.ts'
import { collectSchemas } from './schemas.ts'
import { inlineSingleUse } from './single-use.ts'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Components['sections'] & { readonly securitySchemes: Json }
}

/** What an OpenAPI document contains besides the operations. */
export interface DescribeOptions {
  readonly representationOptions: RepresentationOptions
  readonly errorShape: ErrorShape
  /** The security schemes of users, by name. */
  readonly security: Readonly<Record<string, SecurityScheme>>
  readonly info: Json
  /** The order of the groups of operations; others follow. */
  readonly tags: readonly Tag[]
  /** The URL that the paths are relative to. */
  readonly server: string
  /** The requests that the server sends to others, by name. */
  readonly webhooks: Json
  /** True if a newer version has superseded this one. */
  readonly isDeprecated: boolean
}

/** Creates the OpenAPI 3.1 document of the operations. Throws a TypeError for duplicate names. */
export function createOpenApiDocument(
  operations: readonly DescribedRoute[],
  options: DescribeOptions,
): OpenApiDocument {
  const { representationOptions, errorShape, security, info, server, webhooks, isDeprecated } =
    options
  const routes = operations.map(({ route }) => route)
  const components = createComponents()
  const schemas = collectSchemas(routes, representationOptions, components)
  const addError = (name: string, schema: TObject, xml: Json) =>
    components.add('schemas', name, { ...schemas.wire(schema, 'response'), xml })
  addError('Error', errorSchema(errorShape), { name: 'error' })
  addError('SimpleError', errorSchema('simple'), { name: 'error' })
  addError('ProblemDetails', ProblemDetails, {
    name: 'problem',
    namespace: 'urn:ietf:rfc:7807',
  })
  const fragments = operations.flatMap((operation) => operation.fragments)
  const context = {
    components,
    schemas,
    errorShape,
    isDeprecated,
    schemes: Object.keys(security),
    headersOfProblems: headersOfProblemsIn(fragments),
  }
  const { paths, sections } = inlineSingleUse(pathsOf(operations, context), components.sections)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server }],
    tags: tagsOf(routes, options.tags),
    paths: paths as OpenApiDocument['paths'],
    webhooks,
    components: {
      ...sections,
      securitySchemes: {
        ...security,
        ...routeSecuritySchemes(fragments),
      },
    },
  }
}

/**
 * Returns the documented statuses of a method of a path template, those of `default` included; none
 * if it is undocumented.
 */
export function documentedStatuses(
  document: OpenApiDocument,
  method: string,
  path: string,
): readonly number[] {
  const operation = document.paths[bracedPath(path)]?.[method.toLowerCase()]
  const { default: other, ...responses } = (operation?.['responses'] ?? {}) as Readonly<
    Record<string, Json>
  >
  const shared = document.components.responses[String(other?.['$ref']).split('/').at(-1) ?? '']
  return [...Object.keys(responses).map(Number), ...statusesOf(shared ?? other ?? {})]
}

const bracedPath = (template: string): string => template.replace(/:(\w+)/g, '{$1}')

function pathsOf(
  operations: readonly DescribedRoute[],
  context: DocumentContext,
): OpenApiDocument['paths'] {
  const ids = operationIds(operations.map(({ route }) => route))
  const routes = operations.map(({ route }) => route)
  return Object.fromEntries(
    [...Map.groupBy(operations, ({ route }) => route.path)].map(([path, group]) => {
      const parameters = pathParameters(path, routes, context)
      const methods = group.map((operation) => [
        operation.route.method.toLowerCase(),
        describeOperation(operation, ids.get(operation.route) ?? '', context),
      ])
      const shared = parameters.length > 0 ? { parameters } : {}
      return [bracedPath(path), { ...shared, ...Object.fromEntries(methods) }]
    }),
  )
}

/** A path parameter identifies the item whose path ends with it. */
const pathParameters = (
  path: string,
  routes: readonly Route[],
  { components, schemas }: DocumentContext,
): readonly Json[] =>
  [...path.matchAll(/:(\w+)/g)].map((match) => {
    const [parameter, name = ''] = match
    const prefix = path.slice(0, match.index + parameter.length)
    const [item] = routes.flatMap(({ resource }) =>
      resource.kind === 'item' && resource.path === prefix ? [resource] : [],
    )
    const text = routes
      .map(({ resource }) => resource)
      .find((each) => each.path === prefix && 'hasTextId' in each && each.hasTextId === true)
    const names = text && 'names' in text ? text.names : undefined
    const schema = text
      ? { type: 'string', ...(names && { enum: names }) }
      : schemas.identifier(item?.ids)
    const plain = { name, in: 'path', required: true, schema }
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    if (!item) return { ...plain, description: `The ${words}.` }
    const described = { ...plain, description: `Identifies the ${readableName(item)}.` }
    return components.share('parameters', described, `${toPascalCase(readableName(item))}Id`)
  })

/** The verb of a derived operation ID. */
const verbs: Readonly<Record<OperationKind, string>> = {
  read: 'get',
  list: 'list',
  follow: 'list',
  create: 'create',
  replace: 'replace',
  modify: 'update',
  remove: 'delete',
}

/** Throws a TypeError if two operations have one ID. */
function operationIds(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const ids = new Map(routes.map((route) => [route, operationIdOf(route)]))
  const seen = new Set<string>()
  for (const id of ids.values()) {
    if (seen.has(id)) throw new TypeError(`Two operations have the ID ${id}; declare operationId`)
    seen.add(id)
  }
  return ids
}

function operationIdOf({ operationId, kind, resource }: Route): string {
  if (operationId !== undefined) return operationId
  const isNew = kind === 'create' && resource.kind === 'collection'
  return verbs[kind] + toPascalCase(isNew ? resource.item.name : resource.name)
}

/** Each tag once, in this order; others in the order of their first operation. */
function tagsOf(routes: readonly Route[], ordered: readonly Tag[]): readonly Tag[] {
  const used = new Map(routes.map(tagOf).map((tag) => [tag.name, tag]))
  return [...new Set([...ordered.filter(({ name }) => used.has(name)), ...used.values()])]
}
