import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

/** A request of a worker to the primary process; `text` is set in the reply. */
interface Message {
  readonly type: 'worker metrics'
  readonly requestId: number
  readonly text?: string
}

const isMetricsMessage = (message: unknown): message is Message =>
  typeof message === 'object' && (message as Message | null)?.type === 'worker metrics'

/** Answers requests of the workers for the metrics of all workers; called in the primary process. */
export function gatherWorkerMetrics(): void {
  const aggregator = new AggregatorRegistry()
  cluster.on('message', async (worker, message: unknown) => {
    if (!isMetricsMessage(message)) return
    // Fails when a worker dies meanwhile; the reply is then an empty text.
    const text = await aggregator.clusterMetrics().catch(() => '')
    if (worker.isConnected()) worker.send({ ...message, text })
  })
}

/** Provides the metrics of this worker to the primary process; returns a function that requests those of all workers. */
export function joinWorkerMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry)
  // The constructor subscribes to the messages of the primary process.
  new AggregatorRegistry()
  const pending = new Map<number, (text: string) => void>()
  let lastRequestId = 0
  process.on('message', (message: unknown) => {
    if (!isMetricsMessage(message)) return
    pending.get(message.requestId)?.(message.text ?? '')
    pending.delete(message.requestId)
  })
  return () =>
    new Promise((resolve) => {
      lastRequestId += 1
      pending.set(lastRequestId, resolve)
      process.send?.({ type: 'worker metrics', requestId: lastRequestId } satisfies Message)
    })
}
