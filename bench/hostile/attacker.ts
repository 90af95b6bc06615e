import { parentPort, workerData } from 'node:worker_threads'
import { hostileCases } from './cases.ts'
import { createClient } from './client.ts'

/** What a thread attacks. */
export interface Attack {
  readonly name: string
  readonly port: number
  readonly address: string
  readonly seconds: number
}

/** How often each status was answered. */
export type Statuses = Readonly<Record<number, number>>

const connections = 8

// In a thread of its own, so that it does not slow down what measures the honest clients.
const { name, port, address: from, seconds } = workerData as Attack
const attacked = hostileCases[name]
if (!attacked) throw new Error(`There is no case ${name}`)
const client = createClient(port, connections)
const act = await attacked.prepare(
  async (sent) => ({ ...(await client.send({ ...sent, from })), from }),
  client,
)
parentPort?.postMessage('ready')
const statuses: Record<number, number> = {}
const endsAt = performance.now() + seconds * 1_000
const repeat = async (connection: number): Promise<void> => {
  while (performance.now() < endsAt) {
    const status = await act(connection)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}
const all = Array.from({ length: connections }, (_, connection) => repeat(connection))
const late = new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + 500))
await Promise.race([Promise.all(all), late])
parentPort?.postMessage(statuses satisfies Statuses)
process.exit()
