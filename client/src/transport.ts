import { ConnectionLost, Problem, problemOf } from './problem.ts'
import type { CallOptions, Schemas } from './types.ts'

/** The tokens of a signed-in user or a guest. */
export interface Session {
  readonly token: string
  readonly refreshToken: string
  /** The path that ends the session. */
  readonly logout: string | undefined
}

/** How a client reaches its shop. */
export interface ShopOptions {
  /** Tokens of an earlier session. */
  readonly session?: Session
  /** Called with new tokens, and with undefined once the session has ended. */
  readonly onSession?: (session: Session | undefined) => void
  /** Authenticates instead of a session. */
  readonly apiKey?: string
  /** Languages of messages, in the syntax of `Accept-Language`; the language of the browser by default. */
  readonly language?: string
  /** How often a request is sent again; 4 by default. */
  readonly retries?: number
  /** The longest wait before a retry, in seconds; an error that demands a longer one is thrown. 60 by default. */
  readonly maxWaitSeconds?: number
  readonly fetch?: typeof fetch
}

/** A request. The path is relative to the shop; a body that is no file, form, text or stream is sent as JSON. */
export interface ShopRequest extends Omit<CallOptions, 'headers'> {
  readonly method: string
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: CallOptions['headers'] | Headers
  /** Whether the body of the response is read by the caller. */
  readonly isStream?: boolean
}

/** An answer with its whole text, which is empty for a stream. */
export interface Answer {
  readonly response: Response
  readonly text: string
}

const mediaType = 'application/vnd.cartwright.v1+json'
const firstRetrySeconds = 0.25

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

  /** Sends a request until it is answered. Throws `Problem` or `ConnectionLost`. */
  async send(request: ShopRequest): Promise<Answer> {
    const headers = this.#headersOf(request)
    const { retries = 4, maxWaitSeconds = 60 } = this.#options
    let renewed = false
    for (let attempt = 1; ; attempt += 1) {
      const { token } = this.session ?? {}
      if (token) headers.set('authorization', `Bearer ${token}`)
      try {
        return await this.#attempt(request, headers)
      } catch (error) {
        if (error instanceof Problem && error.status === 401 && token && !renewed) {
          renewed = true
          // Another call may have renewed the token meanwhile.
          if (this.session?.token === token) await this.#renew()
          if (this.session === undefined) throw error
          attempt -= 1
          continue
        }
        const wait = waitSeconds(error, attempt)
        // A stream can be read once only.
        const isLast = attempt > retries || request.body instanceof ReadableStream
        if (wait > maxWaitSeconds || isLast) throw error
        await pause(wait, request.signal)
      }
    }
  }

  async #attempt(request: ShopRequest, headers: Headers): Promise<Answer> {
    const { method, path, query, body, signal, isStream = false } = request
    const send = this.#options.fetch ?? fetch
    const url = this.#urlOf(path, query)
    const init: RequestInit & { duplex?: string } = { method, headers }
    if (signal) init.signal = signal
    if (body !== undefined) init.body = isRaw(body) ? body : JSON.stringify(body)
    if (body instanceof ReadableStream) init.duplex = 'half'
    let answer: Answer
    try {
      const response = await send(url, init)
      answer = { response, text: isStream && response.ok ? '' : await response.text() }
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new ConnectionLost(`${method} ${path} was not answered`, { cause })
    }
    const { response, text } = answer
    if (!response.ok && response.status !== 304) throw problemOf(response, text)
    return answer
  }

  #headersOf({ method, body, idempotencyKey, headers }: ShopRequest): Headers {
    const { apiKey, language } = this.#options
    const result = new Headers(headers)
    if (!result.has('accept')) result.set('accept', mediaType)
    if (body !== undefined && !isRaw(body)) result.set('content-type', 'application/json')
    if (method === 'POST' || method === 'PATCH')
      result.set('idempotency-key', idempotencyKey ?? crypto.randomUUID())
    if (apiKey !== undefined) result.set('authorization', `Api-Key ${apiKey}`)
    if (language !== undefined) result.set('accept-language', language)
    return result
  }

  /** Returns the URL of a path of this shop. Throws if the path leads elsewhere, which must not see credentials. */
  #urlOf(path: string, query: object = {}): URL {
    if (!/^\/(?![/\\])/.test(path)) throw new TypeError(`${path} is not a path of the shop`)
    const url = new URL(
      this.#base + path,
      (globalThis as { location?: { href: string } }).location?.href,
    )
    for (const [name, value] of Object.entries(query)) {
      const values = [value].flat().filter((each) => each != null)
      // Commas separate the values of a list, unless the parameter is repeated.
      const isAlone = Array.isArray(value) && values.length === 1
      for (const each of values)
        url.searchParams.append(name, isAlone ? String(each).replaceAll(',', '\\,') : String(each))
    }
    return url
  }

  /** Renews the tokens, once for all calls that need it. The answer is never asked for twice: a token renews once. */
  #renew(): Promise<void> {
    this.#renewal ??= this.#askForTokens().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #askForTokens(): Promise<void> {
    const body = { refresh_token: this.session?.refreshToken }
    const request = { method: 'POST', path: '/login', body }
    try {
      const { text } = await this.#attempt(request, this.#headersOf(request))
      this.keep(sessionOf(JSON.parse(text)))
    } catch (error) {
      // The session has ended; after any other error, the token may still be good.
      const hasEnded = error instanceof Problem && error.status < 429
      if (!hasEnded) throw error
      this.keep(undefined)
    }
  }
}

/** Returns the tokens of an answer that signs in. */
export function sessionOf({ token, refresh_token, _links }: Schemas['Login']): Session {
  return { token, refreshToken: refresh_token, logout: _links.logout?.href }
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

/** Waits; rejects with the reason once the signal aborts. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, seconds * 1000)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
