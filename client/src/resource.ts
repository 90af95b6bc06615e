import { MissingLink } from './problem.ts'
import { links } from './routes.ts'
import type { Answer, Transport } from './transport.ts'
import type { CallOptions } from './types.ts'

interface Link {
  readonly href: string
  readonly method?: string
  readonly body?: unknown
}
interface Page {
  readonly data: readonly unknown[]
  readonly pagination: { readonly next_cursor: string | null }
}
type Query = Readonly<Record<string, unknown>>

// Not a class of its own per schema: the links of an answer say what can be done.
class LinkedResource {
  declare readonly _links: Readonly<Record<string, Link>>
  readonly #transport: Transport
  readonly #etag: string | null

  constructor(data: object, transport: Transport, etag: string | null) {
    Object.assign(this, data)
    this.#transport = transport
    this.#etag = etag
  }

  can(link: string): boolean {
    return this._links[link] !== undefined
  }

  follow(name: string, argument?: unknown, options?: CallOptions): Promise<unknown> {
    const link = this._links[name]
    if (link === undefined)
      return Promise.reject(new MissingLink(`The resource has no link ${name} now`))
    const { method = 'GET', body } = link
    return this.#call(method, argument ?? (method === 'GET' ? undefined : body), options, link)
  }

  refresh(options?: CallOptions): Promise<unknown> {
    return this.#call('GET', undefined, options)
  }

  update(changes: unknown, options?: CallOptions): Promise<unknown> {
    return this.#call('PATCH', changes, options)
  }

  replace(body: unknown, options?: CallOptions): Promise<unknown> {
    return this.#call('PUT', body, options)
  }

  delete(options?: CallOptions): Promise<unknown> {
    return this.#call('DELETE', undefined, options)
  }

  /** Calls a method of this resource, or what a link leads to. */
  #call(
    method: string,
    argument: unknown,
    options: CallOptions = {},
    { href } = this._links['self'] ?? { href: '' },
  ): Promise<unknown> {
    const headers: Record<string, string> = { ...options.headers }
    const isConditional = href === this._links['self']?.href && method !== 'POST'
    if (isConditional && this.#etag !== null)
      headers[method === 'GET' ? 'if-none-match' : 'if-match'] ??= this.#etag
    return call(this.#transport, method, href, argument, { ...options, headers }, this)
  }
}

for (const link of new Set(Object.values(links).flatMap(Object.keys))) {
  const method = link.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  Object.defineProperty(LinkedResource.prototype, method, {
    value(this: LinkedResource, argument?: unknown, options?: CallOptions) {
      return this.follow(link, argument, options)
    },
    // A field of the resource hides the method of its name.
    writable: true,
  })
}

/** Calls a route. The argument is the query of a GET and the body of any other method. */
export function call(
  transport: Transport,
  method: string,
  path: string,
  argument?: unknown,
  options: CallOptions = {},
  unchanged?: object,
): Promise<unknown> {
  const content = method === 'GET' ? { query: argument as Query } : { body: argument }
  const reply = transport
    .send({ ...options, method, path, ...content })
    .then((answer) => (answer.response.status === 304 ? unchanged : parse(answer, transport)))
  if (method !== 'GET') return reply
  async function* entries() {
    for (let page = (await reply) as Page; ; ) {
      yield* page.data
      const cursor = page.pagination.next_cursor
      // A feed always has a next cursor; it ends for now where a page is empty.
      if (cursor === null || page.data.length === 0) return
      // The first page only has facets.
      const rest = { ...(argument as Query), page: undefined, facets: undefined, cursor }
      page = (await call(transport, 'GET', path, rest, options)) as Page
    }
  }
  return Object.assign(reply, { [Symbol.asyncIterator]: entries })
}

/** Returns the JSON of an answer, whose objects with links follow them; undefined without a body. */
export function parse({ response, text }: Answer, transport: Transport): unknown {
  if (text === '') return undefined
  const etag = response.headers.get('etag')
  // Entries of a list have no ETag.
  return JSON.parse(text, (key, value) =>
    value?._links === undefined
      ? value
      : new LinkedResource(value, transport, key === '' ? etag : null),
  )
}
