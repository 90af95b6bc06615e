import type { TObject } from 'typebox'
import type { Json } from '#http/codec/wire-schema.ts'
import type { Route } from '#http/declare/route.ts'
import type { SecurityScheme } from '#http/pipeline/guards/authentication.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import { errorSchema, ProblemDetails } from '#http/response/problems/schema.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import type { DescribedRoute } from '#http/server/mount.ts'
import { emptyComponents } from './components.ts'
import { describeOperation, ownSchemesOf, type Parts, tagOf } from './operations.ts'
import { collectSchemas, pascal } from './schemas.ts'

/** An OpenAPI 3.1 document, as far as it is read here. */
export interface OpenApi extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** How the operations are told: the form of their values, and what nobody declares for them. */
export interface DescribeOptions {
  readonly representationOptions: RepresentationOptions
  readonly errorShape: ErrorShape
  readonly security: Readonly<Record<string, SecurityScheme>>
  readonly info: Json
  /** Where the paths start. */
  readonly server: string
}

/** Tells what the operations say of themselves as an OpenAPI 3.1 document. */
export function describe(operations: readonly DescribedRoute[], options: DescribeOptions): OpenApi {
  const { representationOptions, errorShape, security, info, server } = options
  const routes = operations.map(({ route }) => route)
  const components = emptyComponents()
  const schemas = collectSchemas(routes, representationOptions, components)
  const addError = (name: string, schema: TObject, xml: Json) =>
    components.add('schemas', name, { ...schemas.wire(schema, 'told'), xml })
  addError('Error', errorSchema(errorShape), { name: 'error' })
  addError('SimpleError', errorSchema('simple'), { name: 'error' })
  addError('ProblemDetails', ProblemDetails, {
    name: 'problem',
    namespace: 'urn:ietf:rfc:7807',
  })
  const parts = { components, schemas, errorShape, schemes: Object.keys(security) }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server }],
    tags: tagsOf(routes),
    paths: pathsOf(operations, parts),
    components: {
      ...components.sections,
      securitySchemes: {
        ...security,
        ...ownSchemesOf(operations.flatMap(({ fragments }) => fragments)),
      },
    },
  }
}

/** The statuses that a document allows a method at `/users/:id`; none where it is not described. */
export function statusesOf(document: OpenApi, method: string, path: string): readonly number[] {
  const operation = document.paths[bracedPath(path)]?.[method.toLowerCase()]
  return Object.keys((operation?.['responses'] ?? {}) as Json).map(Number)
}

const bracedPath = (template: string): string => template.replace(/:(\w+)/g, '{$1}')

function pathsOf(operations: readonly DescribedRoute[], parts: Parts): OpenApi['paths'] {
  const ids = operationIds(operations.map(({ route }) => route))
  const routes = operations.map(({ route }) => route)
  return Object.fromEntries(
    [...Map.groupBy(operations, ({ route }) => route.path)].map(([path, group]) => {
      const parameters = pathParameters(path, routes, parts)
      const methods = group.map((operation) => [
        operation.route.method.toLowerCase(),
        describeOperation(operation, ids.get(operation.route) ?? '', parts),
      ])
      const shared = parameters.length > 0 ? { parameters } : {}
      return [bracedPath(path), { ...shared, ...Object.fromEntries(methods) }]
    }),
  )
}

/** What the parameters of a path name: the thing that lives where the path up to there leads. */
const pathParameters = (
  path: string,
  routes: readonly Route[],
  { components }: Parts,
): readonly Json[] =>
  [...path.matchAll(/:(\w+)/g)].map((match) => {
    const [parameter, name = ''] = match
    const prefix = path.slice(0, match.index + parameter.length)
    const owner = routes.find(
      ({ resource, path: other }) => resource.kind === 'item' && other === prefix,
    )
    const schema = { type: 'integer', minimum: 1, examples: [42] }
    const own = { name, in: 'path', required: true, schema }
    if (!owner) return own
    const described = { ...own, description: `Identifies the ${wordsOf(owner)}.` }
    return components.share('parameters', described, `${pascal(wordsOf(owner))}Id`)
  })

const wordsOf = ({ resource }: Route): string => {
  const name = 'singular' in resource ? (resource.singular ?? resource.name) : resource.name
  return name.replaceAll('_', ' ')
}

/** Names each operation by its verb and noun; what is created is named by the item if that is free. */
function operationIds(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const taken = new Map<string, Route>()
  for (const route of routes) {
    const { kind, resource } = route
    const preferred =
      kind === 'create' && resource.kind === 'collection' ? resource.item.name : resource.name
    const [id] = [preferred, resource.name, `${resource.name}_${taken.size}`]
      .map((name) => kind + pascal(name))
      .filter((candidate) => !taken.has(candidate))
    if (id !== undefined) taken.set(id, route)
  }
  return new Map([...taken].map(([id, route]) => [route, id]))
}

/** The groups, each told by the first thing in it. */
const tagsOf = (routes: readonly Route[]): readonly Json[] =>
  [...Map.groupBy(routes, tagOf)].map(([name, [first]]) => {
    if (!first || first.resource.kind === 'document') {
      return { name, description: 'How the service fares, and its documentation.' }
    }
    const definition = first.resource.kind === 'collection' ? first.resource.item : first.resource
    return { name, description: definition.description }
  })
