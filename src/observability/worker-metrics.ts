import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

type WorkerMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A worker requests the metrics of all workers; `text` is set in the reply. */
interface ScrapeMessage {
  readonly type: 'scrape'
  readonly id: number
  readonly text?: string
}

/** The primary process requests the metrics of one worker; `metrics` is set in the reply. */
interface CollectMessage {
  readonly type: 'collect'
  readonly id: number
  readonly metrics?: WorkerMetrics
}

type Message = ScrapeMessage | CollectMessage

const isMessage = (message: unknown): message is Message =>
  ['scrape', 'collect'].includes((message as Message | null)?.type ?? '')

/** Requests in progress, by ID. */
class PendingReplies<T> {
  readonly #resolvers = new Map<number, (reply: T) => void>()
  #lastId = 0

  /** Sends a request; resolves to its reply, or to undefined after `timeoutMs`. */
  request(send: (id: number) => void, timeoutMs: number): Promise<T | undefined> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve } = Promise.withResolvers<T | undefined>()
    const timer = setTimeout(resolve, timeoutMs, undefined)
    this.#resolvers.set(id, resolve)
    send(id)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#resolvers.delete(id)
    })
  }

  resolve(id: number, reply: T): void {
    this.#resolvers.get(id)?.(reply)
  }
}

const collectTimeoutMs = 5_000
const scrapeTimeoutMs = 2 * collectTimeoutMs

/**
 * Answers requests of the workers for the metrics of all workers; called in the primary process. The
 * counts of a worker that died stay in the sums as they were last collected, so that no sum decreases.
 */
export function gatherWorkerMetrics(): void {
  const replies = new PendingReplies<WorkerMetrics>()
  const latest = new Map<number, WorkerMetrics>()
  let ended: Promise<WorkerMetrics> = Promise.resolve([])

  const collect = async (worker: Worker): Promise<void> => {
    const message = { type: 'collect' } as const
    const send = (id: number) => worker.send({ ...message, id } satisfies CollectMessage)
    const metrics = await replies.request(send, collectTimeoutMs)
    if (metrics && !worker.isDead()) latest.set(worker.id, metrics)
  }

  const scrape = async (): Promise<string> => {
    const workers = Object.values(cluster.workers ?? {})
    await Promise.all(workers.map((worker) => worker?.isConnected() && collect(worker)))
    const [running, past] = [[...latest.values()], ended]
    return AggregatorRegistry.aggregate([...running, await past]).metrics()
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.type === 'collect') return replies.resolve(message.id, message.metrics ?? [])
    void scrape().then((text) => {
      if (worker.isConnected()) worker.send({ ...message, text })
    })
  })
  cluster.on('exit', ({ id }) => {
    const last = latest.get(id)
    latest.delete(id)
    // In JSON the type is its word, though the types of the package declare an enum.
    const counts = last?.filter(({ type }) => String(type) !== 'gauge') ?? []
    ended = ended.then((past) => AggregatorRegistry.aggregate([past, counts]).getMetricsAsJSON())
  })
}

/**
 * Provides the metrics of this worker to the primary process; returns a function that requests
 * those of all workers.
 */
export function joinWorkerMetrics(registry: Registry): () => Promise<string> {
  const replies = new PendingReplies<string>()
  process.on('message', async (message: unknown) => {
    if (!isMessage(message)) return
    if (message.type === 'scrape') return replies.resolve(message.id, message.text ?? '')
    process.send?.({ ...message, metrics: await registry.getMetricsAsJSON() })
  })
  const send = (id: number) => process.send?.({ type: 'scrape', id } satisfies ScrapeMessage)
  return async () => (await replies.request(send, scrapeTimeoutMs)) ?? ''
}
