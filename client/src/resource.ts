import { MissingLink } from './problem.ts'
import {
  type AnswerOf,
  type BodyOf,
  links,
  type QueryOf,
  type Route,
  type Schemas,
} from './routes.ts'
import type { Answer, CallOptions, Transport } from './transport.ts'

type Data<T> = { readonly [K in keyof T]: Resource<T[K]> }
type LinksOf<T> = T extends { readonly _links: infer L } ? keyof L & string : never
/** The name of a schema, found by its type: schemas with a body of their own differ from each other. */
type NameOf<T> = {
  [N in keyof Schemas]: [Schemas[N], T] extends [T, Schemas[N]] ? N : never
}[keyof Schemas]
type SchemaNamed<N extends string> = N extends keyof Schemas ? Schemas[N] : never
type RouteOf<T, N extends string> = `${NameOf<T>}.${N}` extends infer K extends keyof typeof links
  ? (typeof links)[K]
  : N extends keyof typeof links
    ? (typeof links)[N]
    : never
type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
type Entry<P> = P extends { readonly data: readonly (infer E)[]; readonly pagination: unknown }
  ? E
  : never

/** A page, and all entries from it on by `for await`. */
export type List<P> = Promise<Data<P>> & AsyncIterable<Resource<Entry<P>>>

/** What a call resolves to. */
export type Reply<J> = [J] extends [never]
  ? Promise<unknown>
  : [Entry<J>] extends [never]
    ? Promise<Resource<J>>
    : List<J>

/** The arguments of a route: its query if it reads, else its body, which the link may contain already. */
export type Arguments<R extends Route> = R extends `GET ${string}`
  ? [query?: QueryOf<R>, options?: CallOptions]
  : R extends `DELETE ${string}`
    ? [body?: undefined, options?: CallOptions]
    : [body?: BodyOf<R>, options?: CallOptions]

type Follow<R extends Route> = (...args: Arguments<R>) => Reply<AnswerOf<R>>
type LinkMethods<T> = {
  // A field of the resource hides the method of a link with its name; `follow` reaches it.
  readonly [N in LinksOf<T> as N extends keyof T
    ? never
    : [RouteOf<T, N>] extends [never]
      ? never
      : Camel<N>]: Follow<RouteOf<T, N>>
}

/** The functions of every resource. */
export interface Actions<T> {
  /** Whether the resource has this link: whether this caller may do this now. */
  can(link: LinksOf<T>): boolean
  /** Follows a link. A body, if omitted, is that of the link. Throws `MissingLink` without the link. */
  follow<N extends LinksOf<T>>(
    link: N,
    ...args: [RouteOf<T, N>] extends [never]
      ? [bodyOrQuery?: unknown, options?: CallOptions]
      : Arguments<RouteOf<T, N>>
  ): Reply<[RouteOf<T, N>] extends [never] ? never : AnswerOf<RouteOf<T, N>>>
  /** Reads the resource again; returns this object if it has not changed. */
  refresh(options?: CallOptions): Promise<Resource<T>>
  /** Changes these fields. Throws `PreconditionFailed` if somebody changed the resource since it was read. */
  update(changes: SchemaNamed<`${NameOf<T>}Patch`>, options?: CallOptions): Promise<Resource<T>>
  /** Replaces the resource. Throws `PreconditionFailed` if somebody changed it since it was read. */
  replace(body: SchemaNamed<`${NameOf<T>}Body`>, options?: CallOptions): Promise<Resource<T>>
  /** Removes the resource. Throws `PreconditionFailed` if somebody changed it since it was read. */
  delete(options?: CallOptions): Promise<void>
}

/** A value of the API; if it has links, with the functions that follow them. */
export type Resource<T> = T extends readonly (infer E)[]
  ? readonly Resource<E>[]
  : T extends { readonly _links: object }
    ? Data<T> & Actions<T> & LinkMethods<T>
    : T extends object
      ? Data<T>
      : T

interface Linked {
  readonly _links: Readonly<
    Record<string, { readonly href: string; readonly method?: string; readonly body?: unknown }>
  >
}
interface Origin {
  readonly transport: Transport
  readonly etag: string | null
}
const origins = new WeakMap<object, Origin>()

// Not a class of its own per schema: the links of an answer say what can be done.
class LinkedResource implements Linked {
  declare readonly _links: Linked['_links']

  can(link: string): boolean {
    return this._links[link] !== undefined
  }

  follow(name: string, argument?: unknown, options?: CallOptions): Promise<unknown> {
    const link = this._links[name]
    if (link === undefined)
      return Promise.reject(new MissingLink(`The resource has no link ${name} now`))
    const { href, method = 'GET', body } = link
    return callFrom(this, method, href, argument ?? (method === 'GET' ? undefined : body), options)
  }

  refresh(options?: CallOptions): Promise<unknown> {
    return callFrom(this, 'GET', selfOf(this), undefined, options)
  }

  update(changes: unknown, options?: CallOptions): Promise<unknown> {
    return callFrom(this, 'PATCH', selfOf(this), changes, options)
  }

  replace(body: unknown, options?: CallOptions): Promise<unknown> {
    return callFrom(this, 'PUT', selfOf(this), body, options)
  }

  delete(options?: CallOptions): Promise<unknown> {
    return callFrom(this, 'DELETE', selfOf(this), undefined, options)
  }
}

const selfOf = ({ _links }: LinkedResource): string => _links['self']?.href ?? ''

function callFrom(
  resource: LinkedResource,
  method: string,
  path: string,
  argument: unknown,
  options: CallOptions = {},
): Promise<unknown> {
  const origin = origins.get(resource)
  if (origin === undefined) throw new TypeError('A copy of a resource cannot follow its links')
  const { transport, etag } = origin
  const headers: Record<string, string> = { ...options.headers }
  const isSelf = etag !== null && path === selfOf(resource)
  if (isSelf && method === 'GET') headers['if-none-match'] ??= etag
  else if (isSelf && method !== 'POST') headers['if-match'] ??= etag
  return call(transport, method, path, argument, { ...options, headers }, resource)
}

for (const name of Object.keys(links)) {
  const link = name.slice(name.indexOf('.') + 1)
  const method = link.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  Object.defineProperty(LinkedResource.prototype, method, {
    value(this: LinkedResource, ...args: [unknown?, CallOptions?]) {
      return this.follow(link, ...args)
    },
    writable: true,
    configurable: true,
  })
}

/** Calls a route. The argument is the query of a GET and the body of any other method. */
export function call(
  transport: Transport,
  method: string,
  path: string,
  argument: unknown,
  options: CallOptions = {},
  unchanged?: object,
): Promise<unknown> {
  const request =
    method === 'GET'
      ? { ...options, method, path, query: argument as object | undefined }
      : { ...options, method, path, body: argument }
  const reply = transport
    .send(request)
    .then((answer) => (answer.response.status === 304 ? unchanged : parse(answer, transport)))
  if (method !== 'GET') return reply
  const entries = () => entriesFrom(transport, path, argument as object | undefined, options, reply)
  return Object.assign(reply, { [Symbol.asyncIterator]: entries })
}

interface AnyPage {
  readonly data: readonly unknown[]
  readonly pagination: { readonly next_cursor: string | null }
}

async function* entriesFrom(
  transport: Transport,
  path: string,
  query: object | undefined,
  options: CallOptions,
  first: Promise<unknown>,
): AsyncGenerator<unknown> {
  let page = (await first) as AnyPage
  for (;;) {
    yield* page.data
    const cursor = page.pagination.next_cursor
    // A feed always has a next cursor; it ends for now where a page is empty.
    if (cursor === null || page.data.length === 0) return
    // The first page only has facets.
    const rest = { ...query, page: undefined, facets: undefined, cursor }
    page = (await call(transport, 'GET', path, rest, options)) as AnyPage
  }
}

/** Returns the JSON of an answer, whose objects with links follow them; undefined without a body. */
export function parse({ response, text }: Answer, transport: Transport): unknown {
  if (text === '') return undefined
  const resource = attach(JSON.parse(text), { transport, etag: null })
  if (resource instanceof LinkedResource)
    origins.set(resource, { transport, etag: response.headers.get('etag') })
  return resource
}

function attach(value: unknown, origin: Origin): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => attach(entry, origin))
  const data = Object.entries(value).map(([name, inner]) => [name, attach(inner, origin)])
  const object = Object.fromEntries(data)
  if (!('_links' in value)) return object
  const resource = Object.assign(Object.create(LinkedResource.prototype), object)
  origins.set(resource, origin)
  return resource
}
