import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

/** A question of a worker to its primary, and the answer. */
interface Message {
  readonly about: 'crew metrics'
  readonly question: number
  readonly text?: string
}

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && (message as Message | null)?.about === 'crew metrics'

/** In the primary: tells any worker that asks what all of them have measured. */
export function gatherWorkerMetrics(): void {
  const gathering = new AggregatorRegistry()
  cluster.on('message', async (worker, message: unknown) => {
    if (!isOurs(message)) return
    // A worker that dies meanwhile answers nobody; the one that asked is told so by an empty text.
    const text = await gathering.clusterMetrics().catch(() => '')
    if (worker.isConnected()) worker.send({ ...message, text })
  })
}

/** In a worker: hands over what it measures whenever it is asked, and asks for what all have measured. */
export function joinWorkerMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry)
  // Making one is what makes the worker listen.
  new AggregatorRegistry()
  const waiting = new Map<number, (text: string) => void>()
  let questions = 0
  process.on('message', (message: unknown) => {
    if (!isOurs(message)) return
    waiting.get(message.question)?.(message.text ?? '')
    waiting.delete(message.question)
  })
  return () =>
    new Promise((resolve) => {
      questions += 1
      waiting.set(questions, resolve)
      process.send?.({ about: 'crew metrics', question: questions } satisfies Message)
    })
}
