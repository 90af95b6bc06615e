import { ConnectionLost, PreconditionFailed, Problem } from './problem.ts'
import { type CallOptions, LinkedResource, type Page, type Schemas } from './resource.ts'

/** The tokens of a signed-in user or a guest. */
export type Session = Pick<Schemas['Login'], 'token' | 'refresh_token' | '_links'>

/** How a client reaches its shop. */
export interface ShopOptions {
  /** Tokens of an earlier session. */
  readonly session?: Session
  /** Called with new tokens, and with undefined once the session has ended. */
  readonly onSession?: (session: Session | undefined) => void
  /** Authenticates instead of a session. */
  readonly apiKey?: string
  /** How often a request is sent again; 4 by default. */
  readonly retries?: number
  readonly fetch?: typeof fetch
}

/** A request. The path is relative to the shop; a body that is no file, form, text or stream is sent as JSON. */
export interface ShopRequest extends CallOptions {
  readonly method: string
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
}

const mediaType = 'application/vnd.cartwright.v1+json'
const firstRetrySeconds = 0.25
const longestWaitSeconds = 60

/** Sends requests with credentials, keys and retries. */
export class Transport {
  session: Session | undefined
  readonly #base: string
  readonly #options: ShopOptions
  #renewal: Promise<void> | undefined

  constructor(baseUrl: string, options: ShopOptions) {
    this.#base = baseUrl.replace(/\/$/, '')
    this.#options = options
    this.session = options.session
  }

  /** Keeps new tokens, or none. */
  keep(session: Session | undefined): void {
    this.session = session
    this.#options.onSession?.(session)
  }

  call<R>(method: string, path: string, argument?: unknown, options?: CallOptions): Promise<R> {
    if (method !== 'GET') return this.send({ ...options, method, path, body: argument })
    const query = argument as object | undefined
    const read = (query?: object) =>
      this.send<R & Page<unknown>>({ ...options, method, path, query })
    const first = read(query)
    async function* entries() {
      for (let page = await first; ; ) {
        yield* page.data
        const cursor = page.pagination.next_cursor
        // A feed always has a next cursor; it ends for now where a page is empty.
        if (cursor === null || page.data.length === 0) return
        // The first page only has facets.
        page = await read({ ...query, page: undefined, facets: undefined, cursor })
      }
    }
    return Object.assign(first, { [Symbol.asyncIterator]: entries })
  }

  /**
   * Sends a request until it is answered. Returns the JSON of the answer, whose objects with links follow them, or a
   * stream of events. Throws `Problem` or `ConnectionLost`.
   */
  async send<R>(request: ShopRequest): Promise<R> {
    const headers = this.#headersOf(request)
    const { retries = 4 } = this.#options
    // A stream can be read once only.
    const isStream = request.body instanceof ReadableStream
    // A wrong password is no reason to renew the token of a guest.
    let mayRenew = request.path !== '/login' && !isStream
    for (let attempt = 1; ; attempt += 1) {
      const { session } = this
      if (session) headers.set('authorization', `Bearer ${session.token}`)
      try {
        return await this.#sendOnce(request, headers)
      } catch (error) {
        if (session && mayRenew && error instanceof Problem && error.status === 401) {
          mayRenew = false
          // Another call may have renewed the token meanwhile.
          if (this.session === session) await this.#renew()
          if (this.session === undefined) throw error
          continue
        }
        const wait = waitSeconds(error, attempt)
        if (wait > longestWaitSeconds || attempt > retries || isStream) throw error
        await pause(wait, request.signal)
      }
    }
  }

  async #sendOnce(request: ShopRequest, headers: Headers) {
    const { method, path, query, body = null, signal = null } = request
    const url = this.#urlOf(path, query)
    const content = body === null || isRaw(body) ? body : JSON.stringify(body)
    const init = { method, headers, body: content, signal, duplex: 'half' as const }
    const send = this.#options.fetch ?? fetch
    try {
      return await this.#contentOf(await send(url, init))
    } catch (error) {
      // The error of `fetch` without an answer, or without the rest of one.
      if (!(error instanceof TypeError) || signal?.aborted) throw error
      throw new ConnectionLost(`${method} ${path} was not answered`, { cause: error })
    }
  }

  async #contentOf(response: Response) {
    const { ok, status, headers, body } = response
    const isEvents = headers.get('content-type')?.startsWith('text/event-stream')
    if (isEvents) return body?.pipeThrough(new TextDecoderStream())
    const text = await response.text()
    if (status === 412) throw new PreconditionFailed(response, text)
    if (!ok && status !== 304) throw new Problem(response, text)
    if (text === '') return undefined
    // Entries of a list have no ETag.
    const etagOf = (key: string) => (key === '' ? headers.get('etag') : null)
    return JSON.parse(text, (key, value) =>
      value?._links === undefined ? value : new LinkedResource(value, this, etagOf(key)),
    )
  }

  #headersOf({ method, body, idempotencyKey, headers }: ShopRequest): Headers {
    const { apiKey } = this.#options
    const result = new Headers(headers)
    if (!result.has('accept')) result.set('accept', mediaType)
    if (body !== undefined && !isRaw(body)) result.set('content-type', 'application/json')
    if (method === 'POST' || method === 'PATCH')
      result.set('idempotency-key', idempotencyKey ?? crypto.randomUUID())
    if (apiKey !== undefined) result.set('authorization', `Api-Key ${apiKey}`)
    return result
  }

  /** Returns the URL of a path of this shop. Throws if the path leads elsewhere, which must not see credentials. */
  #urlOf(path: string, query: object = {}): string {
    if (!/^\/(?![/\\])/.test(path)) throw new TypeError(`${path} is not a path of the shop`)
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      // Commas separate the values of a list.
      const values = Array.isArray(value)
        ? value.map((each) => String(each).replaceAll(',', '\\,'))
        : [value]
      for (const each of values) if (each != null) parameters.append(name, each)
    }
    const separator = parameters.size === 0 ? '' : path.includes('?') ? '&' : '?'
    return `${this.#base}${path}${separator}${parameters}`
  }

  /** Renews the tokens, once for all calls that need it. The answer is never asked for twice: a token renews once. */
  #renew(): Promise<void> {
    const body = { refresh_token: this.session?.refresh_token }
    const request = { method: 'POST', path: '/login', body }
    this.#renewal ??= this.#sendOnce(request, this.#headersOf(request))
      .catch((error) => {
        // The session has ended; after any other error, the token may still be good.
        if (error instanceof Problem && error.status < 429) return undefined
        throw error
      })
      .then((session) => this.keep(session))
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }
}

const rawTypes = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer]

const isRaw = (body: unknown): body is NonNullable<RequestInit['body']> =>
  typeof body === 'string' ||
  ArrayBuffer.isView(body) ||
  rawTypes.some((type) => body instanceof type)

/** Returns the wait before a retry in seconds; infinity if a retry would fail again. */
function waitSeconds(error: unknown, attempt: number): number {
  const backoff = firstRetrySeconds * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
  if (error instanceof ConnectionLost) return backoff
  if (!(error instanceof Problem)) return Infinity
  const { code, status, retryAfter } = error
  // 4094: the first attempt is still under way.
  if (code !== '4094' && ![429, 502, 503, 504].includes(status)) return Infinity
  if (retryAfter === undefined) return backoff
  const seconds = Number(retryAfter)
  return Number.isNaN(seconds) ? Math.max(0, (Date.parse(retryAfter) - Date.now()) / 1000) : seconds
}

/** Waits, until the signal aborts at the latest. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, seconds * 1000)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
