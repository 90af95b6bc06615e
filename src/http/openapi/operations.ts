import { STATUS_CODES } from 'node:http'
import type { Json } from '#http/codec/wire-schema.ts'
import { pluralOf } from '#http/codec/xml/names.ts'
import {
  type AnyEntityDefinition,
  definitionOf,
  entityNameOf,
  isLocalized,
} from '#http/declare/resource.ts'
import type { OperationKind, Route } from '#http/declare/route.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import type { DescribedRoute } from '#http/server/mount.ts'
import { headerParameter, headersOf } from './components.ts'
import { collect, type DocumentContext, problemResponses } from './problem-responses.ts'
import { type Schemas, toPascalCase } from './schemas.ts'

/** Returns the OpenAPI 3.1 operation of a route: the union of its fragments. */
export function describeOperation(
  { route, fragments }: DescribedRoute,
  operationId: string,
  context: DocumentContext,
): Json {
  const { access, body, summary } = route
  const { components, schemas, schemes } = context
  const [scope] = collect(fragments, ({ requiredScope }) =>
    requiredScope === undefined ? [] : [requiredScope],
  )
  const description = describeAccess(fragments, scope)
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    tags: [tagOf(route)],
    ...unlessEmpty('parameters', [
      ...queryParameters(fragments, context),
      ...collect(fragments, ({ requestHeaders }) => requestHeaders).map((name) =>
        headerParameter(name, components),
      ),
    ]),
    ...(body ? { requestBody: describeRequestBody(body, fragments, schemas) } : {}),
    responses: {
      ...successResponses(route, fragments, context),
      ...problemResponses(fragments, context),
    },
    security: routeSecurity(fragments) ?? securityOf(access.kind, scope, schemes),
  }
}

/** Returns the OpenAPI tag of a route: the first segment of its path. */
export function tagOf({ resource, path }: Route): string {
  if (resource.kind === 'document') return 'service'
  const [, first = ''] = path.split('/')
  return first === '' ? resource.name : first
}

const unlessEmpty = (name: string, entries: readonly Json[]): Json =>
  entries.length > 0 ? { [name]: entries } : {}

function describeAccess(fragments: readonly OpenApiFragment[], scope: string | undefined): string {
  const sentences = collect(fragments, ({ accessDescription }) =>
    accessDescription === undefined ? [] : [accessDescription],
  )
  const required = scope === undefined ? [] : [`The credential needs the scope \`${scope}\`.`]
  return [...sentences, ...required].join(' ')
}

function securityOf(
  kind: Route['access']['kind'],
  scope: string | undefined,
  schemes: readonly string[],
) {
  if (kind === 'open') return []
  const required = schemes.map((scheme) => ({ [scheme]: scope === undefined ? [] : [scope] }))
  return kind === 'anyone' ? [{}, ...required] : required
}

/** Returns the security schemes that routes declare instead of those of users. */
export const routeSecuritySchemes = (
  fragments: readonly OpenApiFragment[],
): Readonly<Record<string, object>> =>
  Object.assign({}, ...fragments.map(({ security }) => security))

function routeSecurity(fragments: readonly OpenApiFragment[]): readonly Json[] | undefined {
  const names = Object.keys(routeSecuritySchemes(fragments))
  return names.length === 0 ? undefined : names.map((name) => ({ [name]: [] }))
}

const queryParameters = (
  fragments: readonly OpenApiFragment[],
  { schemas, components }: DocumentContext,
): readonly Json[] =>
  fragments
    .flatMap(({ query }) => Object.entries(query ?? {}))
    .map(([name, schema]) => {
      // No examples: tools that try requests would send all of them, and find nothing.
      const { description, examples: _, ...wire } = schemas.wire(schema, 'request')
      const style = wire['type'] === 'array' ? { style: 'form', explode: false } : {}
      const described = description === undefined ? {} : { description }
      const parameter = { name, in: 'query', ...described, ...style, schema: wire }
      const { component } = schema as { readonly component?: string }
      return component === undefined
        ? parameter
        : components.share('parameters', parameter, component)
    })

function describeRequestBody(
  body: NonNullable<Route['body']>,
  fragments: readonly OpenApiFragment[],
  schemas: Schemas,
): Json {
  const schema = schemas.body(body)
  const types = collect(fragments, ({ bodyTypes }) => bodyTypes)
  return {
    required: (body.required ?? []).length > 0,
    ...contentIn(types, schema, schemas),
  }
}

/** Returns the responses that are no problems, by status. */
function successResponses(
  route: Route,
  fragments: readonly OpenApiFragment[],
  { components, schemas }: DocumentContext,
): Json {
  const names = [
    ...collect(fragments, ({ responseHeaders }) => responseHeaders),
    ...collect(fragments, ({ everyHeaders }) => everyHeaders),
  ]
  const headers = headersOf(names, components)
  const declared = route.statuses.map((status) => {
    const description = describeResponse(route, status)
    return [
      status,
      { description, ...headers, ...contentOf(route, status, fragments, schemas) },
    ] as const
  })
  const added = fragments
    .flatMap(({ statuses = {} }) => Object.entries(statuses))
    .map(([status, description]) => [Number(status), { description, ...headers }] as const)
  return Object.fromEntries(
    [...declared, ...added].map(([status, response]) => [
      status,
      components.share('responses', response, nameResponse(route, status, schemas)),
    ]),
  )
}

/** The part of a component name that differs by the kind of the operation. */
const kindNames: Readonly<Record<OperationKind, string>> = {
  read: '',
  list: 'Page',
  create: 'Created',
  replace: 'Replaced',
  modify: 'Modified',
  remove: 'Removed',
}

/** A response without a body is named by what its header fields depend on, not by resource. */
function nameResponse({ kind, resource }: Route, status: number, { nameOf }: Schemas): string {
  const reason = toPascalCase(STATUS_CODES[status] ?? '')
  const isDocument = resource.kind === 'document'
  if (status === 204 || status === 304) {
    const prefix = isDocument ? 'Document' : isLocalized(resource) ? 'Localized' : kindNames[kind]
    return `${prefix}${reason}`
  }
  if (isDocument) return toPascalCase(resource.name)
  const subject = nameOf(definitionOf(resource))
  return `${subject}${kind === 'create' ? reason : kindNames[kind]}`
}

function describeResponse({ kind, resource }: Route, status: number): string {
  if (resource.kind === 'document') return resource.description
  if (status === 204) return 'Removed.'
  const name = wordsOf(definitionOf(resource))
  if (kind === 'list') return `A page of ${pluralOf(name)}.`
  if (status === 201) return `The new ${name}.`
  if (status === 202) return `The ${name}, whose processing continues.`
  return kind === 'read' || kind === 'create' ? `The ${name}.` : `The changed ${name}.`
}

/** Returns the name of an entity with spaces, for descriptions. */
export const wordsOf = (definition: AnyEntityDefinition): string =>
  entityNameOf(definition).replaceAll('_', ' ')

function contentOf(
  { kind, resource }: Route,
  status: number,
  fragments: readonly OpenApiFragment[],
  schemas: Schemas,
): Json {
  if (status === 204) return {}
  if (resource.kind === 'document') {
    const [type = resource.mediaType] = resource.mediaType.split(';')
    return {
      content: {
        [type]: { schema: type.endsWith('json') ? { type: 'object' } : { type: 'string' } },
      },
    }
  }
  const definition = definitionOf(resource)
  const schema = kind === 'list' ? schemas.page(definition) : schemas.definition(definition)
  return contentIn(
    collect(fragments, ({ responseTypes }) => responseTypes),
    schema,
    schemas,
  )
}

/** Returns the content in every media type, with those that name the API version. */
const contentIn = (types: readonly string[], schema: Json, { vendorTypes }: Schemas): Json => ({
  content: Object.fromEntries(
    types
      .flatMap((type) => [type, ...vendorTypes(type)])
      .map((type) => [type, { schema: type === 'text/html' ? htmlPage : schema }]),
  ),
})

const htmlPage: Json = { type: 'string', description: 'An HTML page.' }
