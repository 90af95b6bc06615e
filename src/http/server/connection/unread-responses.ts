import { type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { minuteMs, secondMs } from '#values/instant.ts'

/** What responses may take that their clients have not read, in bytes, and how long. */
export interface UnreadLimits {
  /** In the process. */
  readonly bytes: number
  /** For one network. */
  readonly bytesOfNetwork: number
  /** A client has this long, in milliseconds, and besides the time at this pace. */
  readonly graceMs: number
  readonly bytesPerSecond: number
}

const defaultLimits: UnreadLimits = {
  bytes: 256 * 1024 * 1024,
  bytesOfNetwork: 64 * 1024 * 1024,
  graceMs: minuteMs / 2,
  bytesPerSecond: 4096,
}

/** What a request takes beside the body of its response, over HTTP/2 without its header fields. */
export const overheadBytes = 16_384
/** What a byte of a body takes: a text may have two for each. */
const bytesOfLength = 2
const sweepMs = 5 * secondMs

/** The length in what `writeHead` is given; NaN without one. */
const lengthIn = (given: readonly unknown[]): number =>
  Number((given.at(-1) as Readonly<Record<string, unknown>> | undefined)?.['content-length'])

/** A response over HTTP/1.1 that counts itself once its length is known, unless the system takes it at once. */
export class CountedResponse extends ServerResponse {
  unread: UnreadResponses | undefined
  network = ''

  override writeHead(status: number, ...given: unknown[]): this {
    const length = lengthIn(given)
    if (length >= overheadBytes) {
      this.unread?.add(this, overheadBytes + bytesOfLength * length, this.network)
    }
    return super.writeHead(status, ...(given as [OutgoingHttpHeaders]))
  }
}

interface Unread {
  readonly response: ServerResponse
  readonly bytes: number
  readonly endsAtMs: number
}

/** The responses of a network, the oldest first. */
interface Network {
  readonly responses: Set<Unread>
  bytes: number
}

/**
 * Bounds what complete responses take while their clients read slowly or not at all, as with HTTP/2 they can
 * on many streams at once. Where they take too much, the oldest of the network that has most are cut off.
 */
export class UnreadResponses {
  readonly #limits: UnreadLimits
  readonly #nowMs: () => number
  readonly #networks = new Map<string, Network>()
  #bytes = 0
  #sweeper: NodeJS.Timeout | undefined

  constructor(limits = defaultLimits, nowMs = () => performance.now()) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /**
   * Counts a response over HTTP/2 of a network until the client has it: from its header fields if they have its
   * length, else from its end. What is streamed is bounded where it is made. Its request is kept until then, too, and
   * takes `requestBytes`.
   */
  watch(response: ServerResponse, network: string, requestBytes = overheadBytes): void {
    let isCounted = false
    const count = (length: number): void => {
      if (isCounted) return
      isCounted = true
      this.add(response, requestBytes + bytesOfLength * length, network)
    }
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
    const withLength = (...given: unknown[]): ServerResponse => {
      const length = lengthIn(given)
      if (length >= 0) count(length)
      return writeHead(...given)
    }
    response.writeHead = withLength as typeof response.writeHead
    const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse
    const withoutLength = (chunk: unknown, ...rest: unknown[]): ServerResponse => {
      count(typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.length : 0)
      return end(chunk, ...rest)
    }
    response.end = withoutLength as typeof response.end
  }

  /** Counts a response until it is closed, and makes room for it. */
  add(response: ServerResponse, bytes: number, name: string): void {
    const network = this.#networks.getOrInsertComputed(name, () => ({
      responses: new Set(),
      bytes: 0,
    }))
    const { bytesOfNetwork, graceMs, bytesPerSecond } = this.#limits
    const endsAtMs = this.#nowMs() + graceMs + (bytes / bytesPerSecond) * secondMs
    const unread = { response, bytes, endsAtMs }
    network.responses.add(unread)
    network.bytes += bytes
    this.#bytes += bytes
    response.once('close', () => this.#remove(name, unread))
    while (network.bytes > bytesOfNetwork && network.responses.size > 1) {
      this.#endOldest(name, network)
    }
    while (this.#bytes > this.#limits.bytes) this.#endOldest(...this.#heaviest())
    this.#sweeper ??= setInterval(() => this.sweep(), sweepMs).unref()
  }

  /** Cuts off the responses whose time is over. */
  sweep(): void {
    const now = this.#nowMs()
    for (const [name, { responses }] of this.#networks) {
      for (const unread of responses) if (unread.endsAtMs <= now) this.#end(name, unread)
    }
  }

  #heaviest(): [string, Network] {
    return [...this.#networks].reduce((most, each) => (each[1].bytes > most[1].bytes ? each : most))
  }

  #endOldest(name: string, { responses }: Network): void {
    const [oldest] = responses
    if (oldest) this.#end(name, oldest)
  }

  #end(name: string, unread: Unread): void {
    this.#remove(name, unread)
    unread.response.destroy()
  }

  #remove(name: string, unread: Unread): void {
    const network = this.#networks.get(name)
    if (!network?.responses.delete(unread)) return
    network.bytes -= unread.bytes
    this.#bytes -= unread.bytes
    if (network.responses.size === 0) this.#networks.delete(name)
  }
}
