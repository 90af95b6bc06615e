import { STATUS_CODES } from 'node:http'
import type { Json } from '#http/codec/wire-schema.ts'
import { type AnyEntityDefinition, isLocalized, singularOf } from '#http/declare/resource.ts'
import type { OperationKind, Route } from '#http/declare/route.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import { specialErrorForms } from '#http/response/problems/format.ts'
import { errorExample } from '#http/response/problems/schema.ts'
import type { DescribedRoute } from '#http/server/mount.ts'
import { english } from '#i18n/en.ts'
import { catalogue, type ErrorCode } from '#values/error-codes.ts'
import { type Components, headerParameter, headersOf, refer } from './components.ts'
import { pascal, type Schemas } from './schemas.ts'

/** What all operations of a document share. */
export interface Parts {
  readonly components: Components
  readonly schemas: Schemas
  readonly errorShape: ErrorShape
  /** The names of the kinds of credentials. */
  readonly schemes: readonly string[]
}

/** Tells one operation in the words of OpenAPI 3.1: the union of what every concern says of it. */
export function describeOperation(
  { route, fragments }: DescribedRoute,
  operationId: string,
  parts: Parts,
): Json {
  const { access, body, summary } = route
  const { components, schemas, schemes } = parts
  const [scope] = collect(fragments, ({ secured }) => (secured === undefined ? [] : [secured]))
  const description = describeAccess(fragments, scope)
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    tags: [tagOf(route)],
    ...filled('parameters', [
      ...queryOf(fragments, parts),
      ...collect(fragments, ({ requestHeaders }) => requestHeaders).map((name) =>
        headerParameter(name, components),
      ),
    ]),
    ...(body ? { requestBody: requestBody(body, fragments, schemas) } : {}),
    responses: { ...answers(route, fragments, parts), ...problems(fragments, parts) },
    security: ownSecurityOf(fragments) ?? securityOf(access.kind, scope, schemes),
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
  fragments: readonly OpenApiFragment[],
  pick: (fragment: OpenApiFragment) => readonly T[] | undefined,
): T[] => [...new Set(fragments.flatMap((fragment) => pick(fragment) ?? []))]

function describeAccess(fragments: readonly OpenApiFragment[], scope: string | undefined): string {
  const sentences = collect(fragments, ({ admits }) => (admits === undefined ? [] : [admits]))
  const needed = scope === undefined ? [] : [`The credential needs the scope \`${scope}\`.`]
  return [...sentences, ...needed].join(' ')
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
  fragments: readonly OpenApiFragment[],
): Readonly<Record<string, object>> =>
  Object.assign({}, ...fragments.map(({ security }) => security))

function ownSecurityOf(fragments: readonly OpenApiFragment[]): readonly Json[] | undefined {
  const names = Object.keys(ownSchemesOf(fragments))
  return names.length === 0 ? undefined : names.map((name) => ({ [name]: [] }))
}

const queryOf = (
  fragments: readonly OpenApiFragment[],
  { schemas, components }: Parts,
): readonly Json[] =>
  fragments
    .flatMap(({ query }) => Object.entries(query ?? {}))
    .map(([name, schema]) => {
      // Readers that try a request out send every example, and these narrow one another to nothing.
      const { description, examples: _, ...form } = schemas.wire(schema, 'sent')
      const list = form['type'] === 'array' ? { style: 'form', explode: false } : {}
      const told = description === undefined ? {} : { description }
      const parameter = { name, in: 'query', ...told, ...list, schema: form }
      const { component } = schema as { readonly component?: string }
      return component === undefined
        ? parameter
        : components.share('parameters', parameter, component)
    })

function requestBody(
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

/** What the operation answers when it is not refused. */
function answers(
  route: Route,
  fragments: readonly OpenApiFragment[],
  { components, schemas }: Parts,
): Json {
  const names = [
    ...collect(fragments, ({ responseHeaders }) => responseHeaders),
    ...collect(fragments, ({ everyHeaders }) => everyHeaders),
  ]
  const headers = headersOf(names, components)
  const own = route.statuses.map((status) => {
    const description = describeAnswer(route, status)
    return [
      status,
      { description, ...headers, ...contentOf(route, status, fragments, schemas) },
    ] as const
  })
  const further = fragments
    .flatMap(({ statuses = {} }) => Object.entries(statuses))
    .map(([status, description]) => [Number(status), { description, ...headers }] as const)
  return Object.fromEntries(
    [...own, ...further].map(([status, answer]) => [
      status,
      components.share('responses', answer, nameOfAnswer(route, status, schemas)),
    ]),
  )
}

/** What tells the answers of a verb apart from those of reading. */
const outcomes: Readonly<Record<OperationKind, string>> = {
  read: '',
  list: 'Page',
  create: 'Created',
  replace: 'Replaced',
  modify: 'Modified',
  remove: 'Removed',
}

/** Without a body, an answer is the same whatever the thing; it is named by what its headers depend on. */
function nameOfAnswer({ kind, resource }: Route, status: number, { nameOf }: Schemas): string {
  const reason = pascal(STATUS_CODES[status] ?? '')
  const isDocument = resource.kind === 'document'
  if (status === 204 || status === 304) {
    const outcome = isDocument ? 'Document' : isLocalized(resource) ? 'Localized' : outcomes[kind]
    return `${outcome}${reason}`
  }
  if (isDocument) return pascal(resource.name)
  const subject = nameOf(resource.kind === 'collection' ? resource.item : resource)
  return `${subject}${kind === 'create' ? reason : outcomes[kind]}`
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
  const definition = resource.kind === 'collection' ? resource.item : resource
  const schema = kind === 'list' ? schemas.page(definition) : schemas.definition(definition)
  return contentIn(
    collect(fragments, ({ answerTypes }) => answerTypes),
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

/** The names of common responses, by their codes; any other is named by the labels of its codes. */
const commonNames: Readonly<Record<string, string>> = {
  '4003 4004': 'BadQuery',
  '4001 4003 4004': 'BadParameter',
  '4002 4003 4004': 'BadQueryOrBody',
  '4001 4002 4003 4004': 'BadRequest',
  '4011 4012 4013': 'Unauthorized',
  '4031 4032 4033': 'Forbidden',
  '4041': 'NotFound',
  '4091': 'Conflict',
  '4151 4152': 'UnsupportedBody',
}

const nameOfProblems = (codes: readonly ErrorCode[]): string =>
  commonNames[codes.join(' ')] ?? codes.map((code) => pascal(catalogue[code].label)).join('Or')

/** What may go wrong, by status; the same codes are one response. */
function problems(fragments: readonly OpenApiFragment[], parts: Parts): Json {
  const codes = collect(fragments, ({ problems }) => problems).toSorted()
  const groups = Map.groupBy(codes, (code) => catalogue[code].status)
  return Object.fromEntries(
    [...groups].map(([status, group]) => {
      const make = () => describeProblems(status, group, fragments, parts)
      return [status, parts.components.once('responses', nameOfProblems(group), make)]
    }),
  )
}

const describeProblems = (
  status: number,
  codes: readonly ErrorCode[],
  fragments: readonly OpenApiFragment[],
  { components, errorShape }: Parts,
): Json => ({
  description: codes.map((code) => `\`${code}\` ${english[`title.${code}`]}`).join('\n\n'),
  ...headersOf(
    [
      ...collect(fragments, ({ problemHeaders }) => problemHeaders?.[status]),
      ...collect(fragments, ({ everyHeaders }) => everyHeaders),
      'Content-Language',
    ],
    components,
  ),
  content: {
    'application/json': {
      schema: refer('schemas', 'Error'),
      examples: Object.fromEntries(
        codes.map((code) => [
          code,
          components.once('examples', code, () => ({
            summary: english[`title.${code}`],
            value: errorExample(code, errorShape),
          })),
        ]),
      ),
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
