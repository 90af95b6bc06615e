import { STATUS_CODES } from 'node:http'
import type { Json } from '#http/codec/wire-schema.ts'
import { pluralOf } from '#http/codec/xml/names.ts'
import type { Tag } from '#http/declare/operation-options.ts'
import { type AnyEntityDefinition, definitionOf, entityNameOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { ignoresEveryCredential } from '#http/exchange/ignored-credentials.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import type { HeaderName } from '#http/message/header-fields.ts'
import type { DescribedRoute } from '#http/pipeline/compile.ts'
import { xmlRootName } from '#http/response/xml-documents.ts'
import { type Components, headerParameter, headersOf } from './components.ts'
import { toPascalCase } from './names.ts'
import { collectDistinct, type DocumentContext, problemResponses } from './problem-responses.ts'
import type { Schemas } from './schemas.ts'

/** Returns the OpenAPI 3.1 operation of a route: the union of its fragments. */
export function describeOperation(
  { route, fragments }: DescribedRoute,
  operationId: string,
  context: DocumentContext,
): Json {
  const { access, body, upload, summary } = route
  const { components, schemes } = context
  const scopes = collectDistinct(fragments, ({ requiredScopes }) => requiredScopes)
  const description = [route.description ?? '', describeAccess(fragments, scopes)].join(' ').trim()
  const parameters = queryParameters(route, fragments, context)
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    tags: [tagOf(route).name],
    ...unlessEmpty('parameters', [
      ...parameters,
      ...collectDistinct(fragments, ({ requestHeaders }) => requestHeaders).map((name) =>
        headerParameter(name, components),
      ),
    ]),
    ...(body ? { requestBody: describeRequestBody(route, body, fragments, context) } : {}),
    ...(upload ? { requestBody: describeUpload(upload) } : {}),
    responses: {
      ...successResponses(route, fragments, context),
      ...problemResponses(
        fragments,
        {
          takesCredentials: !ignoresEveryCredential(access),
          mayBeGone: mayBeGone(route),
        },
        context,
      ),
    },
    security: routeSecurity(fragments) ?? securityOf(access, scopes, schemes),
  }
}

/** Returns the OpenAPI tag of a route; the first segment of its path by default. */
export function tagOf({ resource, path, tag }: Route): Tag {
  if (tag) return tag
  const [, first = ''] = path.split('/')
  const { description } = definitionOf(resource)
  return { name: first === '' ? resource.name : first, description }
}

/** True if the resource answers 410 once it is removed; a second DELETE answers 204 instead. */
const mayBeGone = ({ kind, resource }: Route): boolean =>
  (kind === 'read' || kind === 'replace' || kind === 'modify') &&
  'isGone' in resource &&
  resource.isGone !== undefined

const unlessEmpty = (name: string, entries: readonly Json[]): Json =>
  entries.length > 0 ? { [name]: entries } : {}

function describeAccess(fragments: readonly OpenApiFragment[], scopes: readonly string[]): string {
  const sentences = collectDistinct(fragments, ({ accessDescription }) =>
    accessDescription === undefined ? [] : [accessDescription],
  )
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ')
  const required =
    scopes.length === 0 ? [] : [`${scopes.length > 1 ? 'Scopes' : 'Scope'}: ${names}.`]
  return [...sentences, ...required].join(' ')
}

function securityOf(
  access: Route['access'],
  scopes: readonly string[],
  schemes: readonly string[],
) {
  if (ignoresEveryCredential(access)) return []
  // The other schemes have no scopes of their own; the description of the operation names it.
  const scopesOf = (scheme: string) => (scheme === 'oauth2' ? scopes : [])
  const required = schemes.map((scheme) => ({ [scheme]: scopesOf(scheme) }))
  const isOptional =
    access.kind === 'optional-authentication' || access.kind === 'no-authentication'
  return isOptional ? [{}, ...required] : required
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

/** Returns the query parameters; equal ones of operations on one entity are a component. */
const queryParameters = (
  { resource, filters }: Route,
  fragments: readonly OpenApiFragment[],
  { schemas, components }: DocumentContext,
): readonly Json[] =>
  fragments
    .flatMap(({ query }) => Object.entries(query ?? {}))
    .map(([name, schema]) => {
      const { description, ...wire } = schemas.parameter(schema)
      const described = description === undefined ? {} : { description }
      const required = filters?.required?.includes(name) ? { required: true } : {}
      const parameter = { name, in: 'query', ...described, ...required, schema: wire }
      const { component } = schema as { readonly component?: unknown }
      const own = toPascalCase(`${entityNameOf(definitionOf(resource))}_${name}`)
      return components.share(
        'parameters',
        parameter,
        typeof component === 'string' ? component : own,
      )
    })

function describeRequestBody(
  route: Route,
  body: NonNullable<Route['body']>,
  fragments: readonly OpenApiFragment[],
  { schemas, components }: DocumentContext,
): Json {
  const one = schemas.body(body)
  const { many } = route
  const xml = { name: pluralOf(xmlRootName(route)), wrapped: true }
  const list = { type: 'array', items: one, minItems: 1, maxItems: many?.limit, xml }
  const schema = many ? orMany(one, list, components) : one
  const types = collectDistinct(fragments, ({ bodyTypes }) => bodyTypes)
  const isRequired = (body.required ?? []).length > 0 || 'alternatives' in body
  return {
    ...(isRequired ? { required: true } : {}),
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
}

/** Returns the schema of one or of a list of them, which is a component. */
function orMany(one: Json, list: Json, components: Components): Json {
  const name = String(one['$ref']).split('/').at(-1)
  return { anyOf: [one, components.share('schemas', list, `${name}List`)] }
}

const describeUpload = ({ mediaTypes }: NonNullable<Route['upload']>): Json => ({
  required: true,
  content: Object.fromEntries(
    Object.entries(mediaTypes).map(([type, schema]) => [type, { schema }]),
  ),
})

/** Returns the responses that are no problems, by status. */
function successResponses(
  route: Route,
  fragments: readonly OpenApiFragment[],
  context: DocumentContext,
): Json {
  const { components, schemas, isDeprecated } = context
  const names = [
    ...collectDistinct(fragments, ({ responseHeaders }) => responseHeaders),
    ...(route.path === '/' ? commonHeadersOf(fragments, isDeprecated) : []),
  ]
  const headers = headersOf(names, components)
  const declared = route.statuses.map((status) => {
    const content = contentOf(route, status, fragments, context)
    const response = { description: describeResponse(route, status), ...headers, ...content }
    const candidates =
      status === 204
        ? [nameByHeaders(route.kind === 'remove' ? 'Removed' : 'Done', names)]
        : namesOf(route, status, schemas)
    return [status, components.share('responses', response, ...candidates)]
  })
  const added = fragments
    .flatMap(({ statuses = {} }) => Object.entries(statuses))
    .map(([status, description]) => {
      const reason = toPascalCase(STATUS_CODES[status] ?? '')
      // A 304 has the header fields of the 200 (RFC 9110 section 15.4.5).
      const isBare = status === '304'
      const response = isBare ? { description } : { description, ...headers }
      const name = isBare ? reason : nameByHeaders(reason, names)
      return [status, components.share('responses', response, name)]
    })
  return Object.fromEntries([...declared, ...added])
}

/** The header fields of every response, which the root documents. */
const commonHeadersOf = (
  fragments: readonly OpenApiFragment[],
  isDeprecated: boolean,
): readonly HeaderName[] => [
  ...collectDistinct(fragments, ({ commonHeaders }) => commonHeaders),
  ...(isDeprecated
    ? collectDistinct(fragments, ({ deprecationHeaders }) => deprecationHeaders)
    : []),
]

/** What the presence of a header field says about a response without a body. */
const headerTraits: Readonly<Partial<Record<HeaderName, string>>> = {
  'X-Request-Id': 'Root',
  Expires: 'Document',
  Link: 'Page',
  Location: 'Located',
  'Content-Language': 'Localized',
  'Last-Modified': 'Dated',
}

/** Responses without a body differ by their header fields alone. */
function nameByHeaders(reason: string, names: readonly HeaderName[]): string {
  const traits = names.flatMap((name) => headerTraits[name] ?? [])
  return `${[...new Set(traits)].join('')}${reason}`
}

/** Names a response by what it contains and, where the header fields differ, by its status. */
function namesOf(
  { kind, resource }: Route,
  status: number,
  { nameOf }: Schemas,
): readonly string[] {
  if (resource.kind === 'document') return [toPascalCase(resource.name)]
  const subject = nameOf(definitionOf(resource))
  const reason = toPascalCase(STATUS_CODES[status] ?? '')
  if (kind === 'list') return [`${subject}Page`]
  if (kind === 'follow') return [`${subject}Feed`]
  return status === 200 ? [subject, `${subject}${reason}`] : [`${subject}${reason}`]
}

function describeResponse({ kind, many, resource }: Route, status: number): string {
  if (resource.kind === 'document') return resource.description
  if (status === 204) return kind === 'remove' ? 'Removed.' : 'Done.'
  const name = readableName(definitionOf(resource))
  if (kind === 'list')
    return `A page of ${pluralOf(name)}; all as \`text/csv\`, XLSX or \`application/x-ndjson\`.`
  if (kind === 'follow') return `The ${pluralOf(name)} after the cursor, oldest first.`
  if (many) return `The new ${name}, or all as \`data\`.`
  if (status === 201) return `The new ${name}.`
  return status === 202 ? `The ${name}, whose processing continues.` : `The ${name}.`
}

/** Returns the name of an entity with spaces, for descriptions. */
export const readableName = (definition: AnyEntityDefinition): string =>
  entityNameOf(definition).replaceAll('_', ' ')

function contentOf(
  { kind, many, resource }: Route,
  status: number,
  fragments: readonly OpenApiFragment[],
  { schemas, components }: DocumentContext,
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
  const isPage = kind === 'list' || kind === 'follow'
  const ofOne = kind === 'read' ? schemas.read : schemas.definition
  const one = isPage ? schemas.page(definition, kind) : ofOne(definition)
  const data = { type: 'array', items: one, xml: { wrapped: true } }
  const xml = { name: pluralOf(entityNameOf(definition)) }
  const list = { type: 'object', properties: { data }, required: ['data'], xml }
  const schema = many ? orMany(one, list, components) : one
  return contentIn(
    collectDistinct(fragments, ({ responseTypes }) => responseTypes),
    schema,
  )
}

/** Returns the content in every media type; the address names the version already. */
const contentIn = (types: readonly string[], schema: Json): Json => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: textTypes[type] ?? schema }])),
})

const textTypes: Readonly<Record<string, Json>> = {
  'text/html': { type: 'string', description: 'An HTML page.' },
  'application/ld+json': { type: 'object', description: 'JSON-LD in the words of schema.org.' },
  'text/event-stream': {
    type: 'string',
    description: 'Server-sent events, each with `id`, `event` and, as `data`, the entry in JSON.',
  },
}
