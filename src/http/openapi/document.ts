import type { TObject } from 'typebox'
import type { Json } from '#http/codec/wire-schema.ts'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { SecurityScheme } from '#http/pipeline/guards/authentication.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import { errorSchema, ProblemDetails } from '#http/response/problems/schema.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import type { DescribedRoute } from '#http/server/mount.ts'
import { createComponents } from './components.ts'
import { describeOperation, routeSecuritySchemes, tagOf, wordsOf } from './operations.ts'
import type { DocumentContext } from './problem-responses.ts'
import { collectSchemas, toPascalCase } from './schemas.ts'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** What an OpenAPI document contains besides the operations. */
export interface DescribeOptions {
  readonly representationOptions: RepresentationOptions
  readonly errorShape: ErrorShape
  /** The security schemes of users, by name. */
  readonly security: Readonly<Record<string, SecurityScheme>>
  readonly info: Json
  /** The URL that the paths are relative to. */
  readonly server: string
}

/** Creates the OpenAPI 3.1 document of the operations. Throws a TypeError for duplicate names. */
export function createOpenApiDocument(
  operations: readonly DescribedRoute[],
  options: DescribeOptions,
): OpenApiDocument {
  const { representationOptions, errorShape, security, info, server } = options
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
  const context = { components, schemas, errorShape, schemes: Object.keys(security) }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server }],
    tags: tagsOf(routes),
    paths: pathsOf(operations, context),
    components: {
      ...components.sections,
      securitySchemes: {
        ...security,
        ...routeSecuritySchemes(operations.flatMap(({ fragments }) => fragments)),
      },
    },
  }
}

/** Returns the documented statuses of a method of a path template; none if it is undocumented. */
export function documentedStatuses(
  document: OpenApiDocument,
  method: string,
  path: string,
): readonly number[] {
  const operation = document.paths[bracedPath(path)]?.[method.toLowerCase()]
  return Object.keys((operation?.['responses'] ?? {}) as Json).map(Number)
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
  { components }: DocumentContext,
): readonly Json[] =>
  [...path.matchAll(/:(\w+)/g)].map((match) => {
    const [parameter, name = ''] = match
    const prefix = path.slice(0, match.index + parameter.length)
    const [item] = routes.flatMap(({ resource }) =>
      resource.kind === 'item' && resource.path === prefix ? [resource] : [],
    )
    const schema = { type: 'integer', minimum: 1, examples: [42] }
    const plain = { name, in: 'path', required: true, schema }
    if (!item) return plain
    const described = { ...plain, description: `Identifies the ${wordsOf(item)}.` }
    return components.share('parameters', described, `${toPascalCase(wordsOf(item))}Id`)
  })

/** An ID is the kind and the resource name; `create` has the name of the item if it is unique. */
function operationIds(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const taken = new Map<string, Route>()
  for (const route of routes) {
    const { kind, resource } = route
    const preferred =
      kind === 'create' && resource.kind === 'collection' ? resource.item.name : resource.name
    const [id] = [preferred, resource.name, `${resource.name}_${taken.size}`]
      .map((name) => kind + toPascalCase(name))
      .filter((candidate) => !taken.has(candidate))
    if (id !== undefined) taken.set(id, route)
  }
  return new Map([...taken].map(([id, route]) => [route, id]))
}

/** A tag has the description of its first resource. */
const tagsOf = (routes: readonly Route[]): readonly Json[] =>
  [...Map.groupBy(routes, tagOf)].map(([name, [first]]) => {
    if (!first || first.resource.kind === 'document') {
      return { name, description: 'Health, metrics and documentation.' }
    }
    return { name, description: definitionOf(first.resource).description }
  })
