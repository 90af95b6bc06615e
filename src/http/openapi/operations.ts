import type { Json } from '#http/codec/wire-schema.ts'
import type { Route } from '#http/declare/route.ts'
import { type AnyEntityDefinition, singularOf } from '#http/declare/resource.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import type { HeaderName } from '#http/response/header-fields.ts'
import { specialErrorForms } from '#http/response/problems/format.ts'
import type { DescribedRoute } from '#http/server/mount.ts'
import { english } from '#i18n/en.ts'
import { catalogue, type ErrorCode } from '#values/error-codes.ts'
import { refer, type Schemas } from './schemas.ts'

/** What all operations of a document share. */
export interface Parts {
  readonly schemas: Schemas
  readonly problems: ProblemComponents
  /** The names of the kinds of credentials. */
  readonly schemes: readonly string[]
}

/** Tells one operation in the words of OpenAPI 3.1: the union of what every concern says of it. */
export function describeOperation(
  { route, fragment }: DescribedRoute,
  operationId: string,
  parts: Parts,
): Json {
  const { access, body, summary } = route
  const { schemas, schemes } = parts
  const [scope] = collect(fragment, ({ secured }) => (secured === undefined ? [] : [secured]))
  const description = describeAccess(fragment, scope)
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    tags: [tagOf(route)],
    ...filled('parameters', [...queryOf(fragment, schemas), ...requestHeadersOf(fragment)]),
    ...(body ? { requestBody: requestBody(body, fragment, schemas) } : {}),
    responses: { ...answers(route, fragment, schemas), ...parts.problems.tell(fragment) },
    security: ownSecurityOf(fragment) ?? securityOf(access.kind, scope, schemes),
  }
}

/** The group of a route: the first noun of its path. */
export function tagOf({ resource, path }: Route): string {
  if (resource.kind === 'document') return 'service'
  const [, first = ''] = path.split('/')
  return first === '' ? resource.name : first
}

const filled = (name: string, entries: readonly Json[]): Json =>
  entries.length > 0 ? { [name]: entries } : {}

/** What all concerns say on one subject, each thing once. */
const collect = <T>(
  fragment: readonly OpenApiFragment[],
  pick: (said: OpenApiFragment) => readonly T[] | undefined,
): T[] => [...new Set(fragment.flatMap((said) => pick(said) ?? []))]

function describeAccess(fragment: readonly OpenApiFragment[], scope: string | undefined): string {
  const authorizedEntity = collect(fragment, ({ admits }) => (admits === undefined ? [] : [admits]))
  const needed = scope === undefined ? [] : [`The credential needs the scope \`${scope}\`.`]
  return [...authorizedEntity, ...needed].join(' ')
}

function securityOf(
  kind: Route['access']['kind'],
  scope: string | undefined,
  schemes: readonly string[],
) {
  if (kind === 'open') return []
  const needed = schemes.map((scheme) => ({ [scheme]: scope === undefined ? [] : [scope] }))
  return kind === 'anyone' ? [{}, ...needed] : needed
}

/** The security schemes that routes have of their own. */
export const ownSchemesOf = (
  fragment: readonly OpenApiFragment[],
): Readonly<Record<string, object>> =>
  Object.assign({}, ...fragment.map(({ security }) => security))

function ownSecurityOf(fragment: readonly OpenApiFragment[]): readonly Json[] | undefined {
  const names = Object.keys(ownSchemesOf(fragment))
  return names.length === 0 ? undefined : names.map((name) => ({ [name]: [] }))
}

const queryOf = (fragment: readonly OpenApiFragment[], { wire }: Schemas): readonly Json[] =>
  fragment
    .flatMap(({ query }) => Object.entries(query ?? {}))
    .map(([name, schema]) => {
      // Readers that try a request out send every example, and these narrow one another to nothing.
      const { description, examples: _, ...form } = wire(schema, 'sent')
      const list = form['type'] === 'array' ? { style: 'form', explode: false } : {}
      const told = description === undefined ? {} : { description }
      return { name, in: 'query', ...told, ...list, schema: form }
    })

const requestHeadersOf = (fragment: readonly OpenApiFragment[]): readonly Json[] =>
  collect(fragment, ({ requestHeaders }) => requestHeaders).map((name) => refer('parameters', name))

function requestBody(
  body: NonNullable<Route['body']>,
  fragment: readonly OpenApiFragment[],
  schemas: Schemas,
): Json {
  const schema = schemas.body(body)
  const types = collect(fragment, ({ bodyTypes }) => bodyTypes)
  return {
    required: (body.required ?? []).length > 0,
    ...contentIn(types, schema, schemas),
  }
}

const headers = (names: readonly HeaderName[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, refer('headers', name)])) }

/** What the operation answers when it is not refused. */
function answers(route: Route, fragment: readonly OpenApiFragment[], schemas: Schemas): Json {
  const told = headers([
    ...collect(fragment, ({ responseHeaders }) => responseHeaders),
    ...collect(fragment, ({ everyHeaders }) => everyHeaders),
  ])
  const further = Object.assign({}, ...fragment.map(({ statuses }) => statuses)) as Record<
    string,
    string
  >
  return Object.fromEntries([
    ...route.statuses.map((status) => [
      status,
      {
        description: describeAnswer(route, status),
        ...told,
        ...contentOf(route, status, fragment, schemas),
      },
    ]),
    ...Object.entries(further).map(([status, description]) => [status, { description, ...told }]),
  ])
}

function describeAnswer({ kind, resource }: Route, status: number): string {
  if (resource.kind === 'document') return resource.description
  if (status === 204) return 'It is gone.'
  const name = wordsOf(resource.kind === 'collection' ? resource.item : resource)
  if (kind === 'list') return `A page; of each ${name} what the caller may see.`
  if (status === 201) return `The ${name}, which is new.`
  if (status === 202) return `The ${name}, on which work goes on.`
  return kind === 'read' || kind === 'create' ? `The ${name}.` : `The ${name} as it is now.`
}

const wordsOf = (definition: AnyEntityDefinition): string =>
  singularOf(definition).replaceAll('_', ' ')

function contentOf(
  { kind, resource }: Route,
  status: number,
  fragment: readonly OpenApiFragment[],
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
  const definition = resource.kind === 'collection' ? resource.item : resource
  const schema = kind === 'list' ? schemas.page(definition) : schemas.definition(definition)
  return contentIn(
    collect(fragment, ({ answerTypes }) => answerTypes),
    schema,
    schemas,
  )
}

/** The same in every media type, those that name the version told among them. */
const contentIn = (types: readonly string[], schema: Json, { vendorTypes }: Schemas): Json => ({
  content: Object.fromEntries(
    types
      .flatMap((type) => [type, ...vendorTypes(type)])
      .map((type) => [type, { schema: type === 'text/html' ? page : schema }]),
  ),
})

const page: Json = { type: 'string', description: 'A page for people.' }

/** The answers to refusals, each told once and named by its codes. */
export interface ProblemComponents {
  readonly components: Readonly<Record<string, Json>>
  /** What may go wrong, by status. */
  readonly tell: (fragment: readonly OpenApiFragment[]) => Json
}

/** Starts a collection of answers to refusals. */
export function collectProblems(): ProblemComponents {
  const components: Record<string, Json> = {}
  const tell = (fragment: readonly OpenApiFragment[]): Json => {
    const codes = collect(fragment, ({ problems }) => problems).toSorted()
    const groups = Map.groupBy(codes, (code) => catalogue[code].status)
    return Object.fromEntries(
      [...groups].map(([status, group]) => {
        const name = group.join('_')
        components[name] ??= problemOf(status, group, fragment)
        return [status, refer('responses', name)]
      }),
    )
  }
  return { components, tell }
}

const problemOf = (
  status: number,
  codes: readonly ErrorCode[],
  fragment: readonly OpenApiFragment[],
): Json => ({
  description: codes.map((code) => `\`${code}\` ${english[`title.${code}`]}`).join('\n\n'),
  ...headers([
    ...collect(fragment, ({ problemHeaders }) => problemHeaders?.[status]),
    ...collect(fragment, ({ everyHeaders }) => everyHeaders),
    'Content-Language',
  ]),
  content: {
    'application/json': {
      schema: refer('schemas', 'Error'),
      examples: Object.fromEntries(codes.map((code) => [code, refer('examples', code)])),
    },
    'application/xml': { schema: refer('schemas', 'Error') },
    ...specialContent,
  },
})

/** Where a client asks for them; the same for the media types of versions is not told apart. */
const specialContent: Json = Object.fromEntries(
  [...specialErrorForms]
    .filter(([type]) => !type.startsWith('application/vnd.'))
    .map(([type, { shape }]) => [
      type,
      { schema: refer('schemas', shape === 'problem' ? 'ProblemDetails' : 'SimpleError') },
    ]),
)
