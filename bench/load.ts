import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type FixedRate, repeatAtRate, repeatUntil } from './pace.ts'

/** One complete HTTP/1.1 response; `body` is valid only until the next one is read. */
export interface HttpResponse {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

/** The bytes of one request, and the statuses that may answer it. */
export interface LoadRequest {
  readonly bytes: Buffer
  readonly expect: number | readonly number[]
}

/** One iteration of a connection: it yields requests and receives their responses. */
export type Scenario = (connection: number) => Generator<LoadRequest, void, HttpResponse>

/** A load over `connections`. */
export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly scenario: Scenario
  /** When it is over; until then, each connection begins an iteration when one has ended. Or a rate. */
  readonly pace: (() => boolean) | FixedRate
  readonly onResponse?: (status: number) => void
}

/** What a load measured. */
export interface LoadReport {
  /** How long each iteration took. */
  readonly tookMs: readonly number[]
  readonly responses: number
  /** From the first request to the last response. */
  readonly tookSeconds: number
}

const silenceMs = 10_000
const receiveBytes = 64 * 1024

/** Parts of a request beside its method and path; `fields` are further header lines. */
interface RequestParts {
  readonly token?: string
  readonly body?: unknown
  readonly fields?: readonly string[]
  readonly accept?: string
}

/** Encodes a request, with `token` as a Bearer token (RFC 6750 section 2.1). */
export function encodeRequest(method: string, path: string, parts: RequestParts = {}): Buffer {
  const { token, body, fields = [], accept = 'application/json' } = parts
  const content = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Accept: ${accept}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...fields,
    ...(content === ''
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${content}`)
}

/** A keep-alive connection that has at most one request under way. */
class Connection {
  readonly #socket: Socket
  #awaited: PromiseWithResolvers<HttpResponse> | undefined
  #partial: Buffer | undefined

  constructor(port: number) {
    const onread = {
      buffer: Buffer.allocUnsafe(receiveBytes),
      callback: (length: number, buffer: Uint8Array) => {
        this.#receive((buffer as Buffer).subarray(0, length))
        return true
      },
    }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    this.#socket.setTimeout(silenceMs, () => this.#fail(`no response within ${silenceMs} ms`))
    this.#socket.on('error', ({ message }) => this.#fail(message))
    this.#socket.on('close', () => this.#fail('a connection was closed by the other side'))
  }

  open = (): Promise<unknown> => once(this.#socket, 'connect')

  close = (): Socket => this.#socket.destroy()

  /** Resolves to the response, whose body is valid until the next turn of the event loop. */
  async send({ bytes, expect }: LoadRequest): Promise<HttpResponse> {
    if (this.#socket.destroyed) throw new Error('a connection is closed')
    this.#awaited = Promise.withResolvers()
    this.#socket.write(bytes)
    const response = await this.#awaited.promise
    if ([expect].flat().includes(response.status)) return response
    const received = `${response.head}\n\n${response.body.toString().slice(0, 2000)}`
    const sent = bytes.toString().replace(/(Bearer) \S+/, '$1 …')
    throw new Error(`expected ${expect}, got ${response.status}\n${sent}\n\n${received}`)
  }

  #receive(bytes: Buffer): void {
    const all = this.#partial ? Buffer.concat([this.#partial, bytes]) : bytes
    try {
      const response = readResponse(all)
      // The receive buffer is reused, so the bytes are copied.
      this.#partial = response ? undefined : Buffer.from(all)
      if (response) this.#awaited?.resolve(response)
    } catch (error) {
      this.#fail(String(error))
    }
  }

  #fail(reason: string): void {
    this.#awaited?.reject(new Error(reason))
    this.#socket.destroy()
  }
}

/**
 * Loads a server on 127.0.0.1 over keep-alive connections, and lets every iteration end that has begun.
 * Throws at the first unexpected status, lost connection, or 10 seconds without a response.
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { port, pace, scenario, onResponse } = options
  const connections = Array.from({ length: options.connections }, () => new Connection(port))
  let responses = 0
  const iterate = async (at: number): Promise<void> => {
    const steps = scenario(at)
    for (let step = steps.next(); !step.done; ) {
      const response = await connections[at]?.send(step.value)
      if (!response) throw new Error(`no connection ${at}`)
      responses += 1
      onResponse?.(response.status)
      step = steps.next(response)
    }
  }
  try {
    await Promise.all(connections.map((connection) => connection.open()))
    const startedAtMs = performance.now()
    const count = connections.length
    const tookMs = await (typeof pace === 'function'
      ? repeatUntil(iterate, count, pace)
      : repeatAtRate(iterate, count, pace))
    return { tookMs, responses, tookSeconds: (performance.now() - startedAtMs) / 1000 }
  } finally {
    for (const connection of connections) connection.close()
  }
}

/** Returns whether so many seconds have passed since this call. */
export function hasPassed(seconds: number): () => boolean {
  const endsAtMs = performance.now() + seconds * 1000
  return () => performance.now() >= endsAtMs
}

const contentLength = /\r\ncontent-length: *(\d+)/i

/**
 * Reads the one response that `bytes` hold; undefined while part of it is missing. Throws where
 * they are no HTTP/1.1 response of a stated length, or more than one (RFC 9112 section 6).
 */
export function readResponse(bytes: Buffer): HttpResponse | undefined {
  const headLength = bytes.indexOf('\r\n\r\n')
  if (headLength === -1) return undefined
  const head = bytes.toString('latin1', 0, headLength)
  const status = Number(head.slice(9, 12))
  if (!head.startsWith('HTTP/1.1 ') || !(status >= 200)) throw new Error(`no response: ${head}`)
  const rest = bytes.subarray(headLength + 4)
  const length = contentLength.exec(head)?.[1]
  if (length === undefined && status !== 204 && status !== 304) {
    throw new Error(`a response without a length: ${head}`)
  }
  const missing = Number(length ?? 0) - rest.length
  if (missing < 0) throw new Error(`${-missing} bytes after a response: ${head}`)
  return missing > 0 ? undefined : { status, head, body: rest }
}

/** Returns the number that ends the `Location` of a response; throws where there is none. */
export function createdId({ head }: HttpResponse): number {
  const id = /\r\nlocation: [^\r]*\/(\d+)(?=\r|$)/i.exec(head)?.[1]
  if (id === undefined) throw new Error(`no Location that ends in a number: ${head}`)
  return Number(id)
}
