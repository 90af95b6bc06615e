import { connect, type Socket } from 'node:net'
import { type Answer, readAnswer } from './answer.ts'

/** The bytes of one request, and the only statuses that may answer it. */
export interface Request {
  readonly bytes: Buffer
  readonly expect: number | readonly number[]
}

/** What one connection does once: it yields a request and is handed the answer. */
export type Scenario = (connection: number) => Generator<Request, void, Answer>

/** How hard to press: `connections` at once, for `seconds`, or for `count` iterations if sooner. */
export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly scenario: Scenario
  readonly seconds: number
  readonly count?: number
}

/** What came of a load; an iteration is one run of the scenario, times are of whole iterations. */
export interface LoadReport {
  readonly iterations: number
  readonly perSecond: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly statuses: ReadonlyMap<number, number>
  /** Share of one core that the generator itself used, 0 to 1: near 1 it is the bottleneck. */
  readonly generatorBusy: number
}

/** Says that the other side answered something else than expected, or nothing at all. */
class LoadFailure extends Error {
  override readonly name = 'LoadFailure'
}

const silenceSeconds = 10
const receiveBytes = 64 * 1024

/**
 * Encodes a request; `token` goes out as a Bearer token (RFC 6750 section 2.1), `fields` are further
 * header lines, and `accept` is the media type asked for.
 */
export function encodeRequest(
  method: string,
  path: string,
  token?: string,
  body?: unknown,
  fields: readonly string[] = [],
  accept = 'application/json',
): Buffer {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Accept: ${accept}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...fields,
    ...(content ? ['Content-Type: application/json', `Content-Length: ${content.length}`] : []),
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content ?? Buffer.alloc(0)])
}

/** Counts what all connections of one load do, and says when they are to stop. */
class Tally {
  readonly iterationsMs: number[] = []
  readonly statuses = new Map<number, number>()
  answers = 0
  startedAtMs = 0
  lastAtMs = 0
  readonly #seconds: number
  readonly #count: number

  constructor(seconds: number, count: number) {
    this.#seconds = seconds
    this.#count = count
  }

  get over(): boolean {
    return this.iterationsMs.length >= this.#count || this.#late(performance.now())
  }

  answered(status: number): void {
    this.answers += 1
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  /** Leaves out what ends past the time: the last iterations run with fewer and fewer others. */
  iterated(startedAtMs: number): void {
    const nowMs = performance.now()
    if (this.#late(nowMs) || this.iterationsMs.length >= this.#count) return
    this.iterationsMs.push(nowMs - startedAtMs)
    this.lastAtMs = nowMs
  }

  #late(nowMs: number): boolean {
    return nowMs - this.startedAtMs >= this.#seconds * 1000
  }

  get elapsedSeconds(): number {
    const counted = this.iterationsMs.length >= this.#count
    return counted ? (this.lastAtMs - this.startedAtMs) / 1000 : this.#seconds
  }
}

/** One keep-alive connection that sends its next request as soon as the last is answered. */
class Connection {
  readonly opened = Promise.withResolvers<void>()
  readonly finished = Promise.withResolvers<void>()
  readonly #socket: Socket
  readonly #tally: Tally
  readonly #scenario: () => Generator<Request, void, Answer>
  #steps: Generator<Request, void, Answer> | undefined
  #awaited: Request | undefined
  #partial: Buffer | undefined
  #iterationAtMs = 0

  constructor(options: LoadOptions, index: number, tally: Tally) {
    this.#tally = tally
    this.#scenario = () => options.scenario(index)
    const onread = {
      buffer: Buffer.allocUnsafe(receiveBytes),
      callback: (length: number, buffer: Uint8Array) => {
        this.#receive((buffer as Buffer).subarray(0, length))
        return true
      },
    }
    this.#socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true, onread })
    this.#socket.on('connect', () => this.opened.resolve())
    this.#socket.on('error', (error) => this.fail(`connection ${index}: ${error.message}`))
    this.#socket.on('close', () => this.fail(`connection ${index} was closed by the other side`))
    // Both are awaited by the load, but not from the first moment on.
    this.opened.promise.catch(() => {})
    this.finished.promise.catch(() => {})
  }

  begin(): void {
    this.#iterationAtMs = performance.now()
    this.#steps = this.#scenario()
    this.#send(this.#steps.next())
  }

  fail(reason: string): void {
    const failure = new LoadFailure(reason)
    this.opened.reject(failure)
    this.finished.reject(failure)
    this.#socket.destroy()
  }

  #send(step: IteratorResult<Request, void> | undefined): void {
    if (step && !step.done) {
      this.#awaited = step.value
      this.#socket.write(step.value.bytes)
      return
    }
    this.#tally.iterated(this.#iterationAtMs)
    if (this.#tally.over) {
      this.finished.resolve()
      this.#socket.destroy()
    } else {
      this.begin()
    }
  }

  #receive(bytes: Buffer): void {
    const all = this.#partial ? Buffer.concat([this.#partial, bytes]) : bytes
    try {
      const answer = readAnswer(all)
      // The receive buffer is used again for the next bytes, so what is kept is copied.
      this.#partial = answer ? undefined : Buffer.from(all)
      if (answer) this.#proceed(answer)
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error))
    }
  }

  #proceed(answer: Answer): void {
    const request = this.#awaited
    this.#awaited = undefined
    if (!request) throw new Error(`an answer nobody asked for: ${answer.head}`)
    this.#tally.answered(answer.status)
    if (![request.expect].flat().includes(answer.status)) {
      const said = `${answer.head}\n\n${answer.body.toString().slice(0, 2000)}`
      const asked = request.bytes.toString().replace(/(Bearer) \S+/, '$1 …')
      throw new Error(`expected ${request.expect}, got ${answer.status}\n${asked}\n\n${said}`)
    }
    this.#send(this.#steps?.next(answer))
  }
}

/**
 * Presses a server on 127.0.0.1 in a closed loop over keep-alive connections, and lets every
 * iteration begun come to its end. Throws a `LoadFailure` at the first status that was not
 * expected, connection lost, or 10 seconds without any answer.
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const tally = new Tally(options.seconds, options.count ?? Number.POSITIVE_INFINITY)
  const connections = Array.from(
    { length: options.connections },
    (_, index) => new Connection(options, index, tally),
  )
  const failAll = (reason: string) => {
    for (const connection of connections) connection.fail(reason)
  }
  const watch = watchForSilence(tally, failAll)
  try {
    await Promise.all(connections.map((connection) => connection.opened.promise))
    tally.startedAtMs = performance.now()
    const cpuBefore = process.cpuUsage()
    for (const connection of connections) connection.begin()
    await Promise.all(connections.map((connection) => connection.finished.promise))
    const cpu = process.cpuUsage(cpuBefore)
    const busyMs = (cpu.user + cpu.system) / 1000
    return summarize(tally, busyMs / (performance.now() - tally.startedAtMs))
  } finally {
    clearInterval(watch)
    failAll('the load has ended')
  }
}

function watchForSilence(tally: Tally, failAll: (reason: string) => void): NodeJS.Timeout {
  let seen = -1
  return setInterval(() => {
    if (tally.answers === seen) failAll(`no answer within ${silenceSeconds} seconds`)
    seen = tally.answers
  }, silenceSeconds * 1000)
}

function summarize(tally: Tally, generatorBusy: number): LoadReport {
  const sorted = Float64Array.from(tally.iterationsMs).sort()
  const quantile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  return {
    iterations: sorted.length,
    perSecond: sorted.length / tally.elapsedSeconds,
    requestsPerSecond: tally.answers / tally.elapsedSeconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    statuses: tally.statuses,
    generatorBusy: Math.min(1, generatorBusy),
  }
}
