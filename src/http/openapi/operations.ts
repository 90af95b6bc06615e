import type { Json } from '#http/codec/wire-schema.ts'
import type { Route } from '#http/declare/operation.ts'
import { type AnyThing, singularOf } from '#http/declare/resource.ts'
import type { Says } from '#http/pipeline/exchange.ts'
import type { HeaderName } from '#http/response/header-fields.ts'
import { specialErrorForms } from '#http/response/problems/format.ts'
import type { Operation } from '#http/server/mount.ts'
import { english } from '#i18n/en.ts'
import { catalogue, type ErrorCode } from '#values/error-codes.ts'
import { refer, type Schemas } from './schemas.ts'

/** What all operations of a document share. */
export interface Parts {
  readonly schemas: Schemas
  readonly refusals: Refusals
  /** The names of the kinds of credentials. */
  readonly schemes: readonly string[]
}

/** Tells one operation in the words of OpenAPI 3.1: the union of what every concern says of it. */
export function describeOperation(
  { route, says }: Operation,
  operationId: string,
  parts: Parts,
): Json {
  const { access, body, summary } = route
  const { schemas, schemes } = parts
  const [scope] = collect(says, ({ secured }) => (secured === undefined ? [] : [secured]))
  const description = describeAccess(says, scope)
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    tags: [tagOf(route)],
    ...filled('parameters', [...queryOf(says, schemas), ...requestHeadersOf(says)]),
    ...(body ? { requestBody: requestBody(body, says, schemas) } : {}),
    responses: { ...answers(route, says, schemas), ...parts.refusals.tell(says) },
    security: ownSecurityOf(says) ?? securityOf(access.kind, scope, schemes),
  }
}

/** The group of a route: the first noun of its path. */
export function tagOf({ noun, path }: Route): string {
  if (noun.kind === 'document') return 'service'
  const [, first = ''] = path.split('/')
  return first === '' ? noun.name : first
}

const filled = (name: string, entries: readonly Json[]): Json =>
  entries.length > 0 ? { [name]: entries } : {}

/** What all concerns say on one subject, each thing once. */
const collect = <T>(says: readonly Says[], pick: (said: Says) => readonly T[] | undefined): T[] => [
  ...new Set(says.flatMap((said) => pick(said) ?? [])),
]

function describeAccess(says: readonly Says[], scope: string | undefined): string {
  const admitted = collect(says, ({ admits }) => (admits === undefined ? [] : [admits]))
  const needed = scope === undefined ? [] : [`The credential needs the scope \`${scope}\`.`]
  return [...admitted, ...needed].join(' ')
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
export const ownSchemesOf = (says: readonly Says[]): Readonly<Record<string, object>> =>
  Object.assign({}, ...says.map(({ security }) => security))

function ownSecurityOf(says: readonly Says[]): readonly Json[] | undefined {
  const names = Object.keys(ownSchemesOf(says))
  return names.length === 0 ? undefined : names.map((name) => ({ [name]: [] }))
}

const queryOf = (says: readonly Says[], { wire }: Schemas): readonly Json[] =>
  says
    .flatMap(({ query }) => Object.entries(query ?? {}))
    .map(([name, schema]) => {
      // Readers that try a request out send every example, and these narrow one another to nothing.
      const { description, examples: _, ...form } = wire(schema, 'sent')
      const list = form['type'] === 'array' ? { style: 'form', explode: false } : {}
      const told = description === undefined ? {} : { description }
      return { name, in: 'query', ...told, ...list, schema: form }
    })

const requestHeadersOf = (says: readonly Says[]): readonly Json[] =>
  collect(says, ({ requestHeaders }) => requestHeaders).map((name) => refer('parameters', name))

function requestBody(
  body: NonNullable<Route['body']>,
  says: readonly Says[],
  schemas: Schemas,
): Json {
  const schema = schemas.body(body)
  const types = collect(says, ({ bodyTypes }) => bodyTypes)
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
function answers(route: Route, says: readonly Says[], schemas: Schemas): Json {
  const told = headers([
    ...collect(says, ({ responseHeaders }) => responseHeaders),
    ...collect(says, ({ everyHeaders }) => everyHeaders),
  ])
  const further = Object.assign({}, ...says.map(({ statuses }) => statuses)) as Record<
    string,
    string
  >
  return Object.fromEntries([
    ...route.statuses.map((status) => [
      status,
      {
        description: describeAnswer(route, status),
        ...told,
        ...contentOf(route, status, says, schemas),
      },
    ]),
    ...Object.entries(further).map(([status, description]) => [status, { description, ...told }]),
  ])
}

function describeAnswer({ verb, noun }: Route, status: number): string {
  if (noun.kind === 'document') return noun.description
  if (status === 204) return 'It is gone.'
  const name = wordsOf(noun.kind === 'collection' ? noun.item : noun)
  if (verb === 'list') return `A page; of each ${name} what the caller may see.`
  if (status === 201) return `The ${name}, which is new.`
  if (status === 202) return `The ${name}, on which work goes on.`
  return verb === 'read' || verb === 'create' ? `The ${name}.` : `The ${name} as it is now.`
}

const wordsOf = (thing: AnyThing): string => singularOf(thing).replaceAll('_', ' ')

function contentOf(
  { verb, noun }: Route,
  status: number,
  says: readonly Says[],
  schemas: Schemas,
): Json {
  if (status === 204) return {}
  if (noun.kind === 'document') {
    const [type = noun.mediaType] = noun.mediaType.split(';')
    return {
      content: {
        [type]: { schema: type.endsWith('json') ? { type: 'object' } : { type: 'string' } },
      },
    }
  }
  const thing = noun.kind === 'collection' ? noun.item : noun
  const schema = verb === 'list' ? schemas.page(thing) : schemas.thing(thing)
  return contentIn(
    collect(says, ({ answerTypes }) => answerTypes),
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
export interface Refusals {
  readonly components: Readonly<Record<string, Json>>
  /** What may go wrong, by status. */
  readonly tell: (says: readonly Says[]) => Json
}

/** Starts a collection of answers to refusals. */
export function collectRefusals(): Refusals {
  const components: Record<string, Json> = {}
  const tell = (says: readonly Says[]): Json => {
    const codes = collect(says, ({ refusals }) => refusals).toSorted()
    const groups = Map.groupBy(codes, (code) => catalogue[code].status)
    return Object.fromEntries(
      [...groups].map(([status, group]) => {
        const name = group.join('_')
        components[name] ??= refusalOf(status, group, says)
        return [status, refer('responses', name)]
      }),
    )
  }
  return { components, tell }
}

const refusalOf = (status: number, codes: readonly ErrorCode[], says: readonly Says[]): Json => ({
  description: codes.map((code) => `\`${code}\` ${english[`title.${code}`]}`).join('\n\n'),
  ...headers([
    ...collect(says, ({ refusalHeaders }) => refusalHeaders?.[status]),
    ...collect(says, ({ everyHeaders }) => everyHeaders),
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
