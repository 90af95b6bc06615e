import assert from 'node:assert/strict'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { readSinkStates } from '#shop/events/sinks/sink-store.ts'
import { openStore, type Store } from '#store/database.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { readStream, startNats } from '#test/support/services/brokers/nats.ts'
import { createExchange, type OwnExchange } from '#test/support/services/brokers/rabbitmq.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'
import { openDeployment } from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'
import { parseEventSinks } from '#values/event-sink.ts'

const stream = 'SHOP'
const subjects = 1000
/** The events of one transaction, and the transactions that are open at a time. */
const eventsAtOnce = 250
const lanes = 4

/** How events are sent to brokers while their processes are killed. */
export interface SinkRun {
  readonly kind: StoreKind
  readonly processes: number
  readonly events: number
  /** How often the process that sends to a broker is killed: to NATS and to RabbitMQ in turn. */
  readonly kills: number
}

/**
 * Has several processes send events to NATS and RabbitMQ while they are written, and kills with SIGKILL the one
 * that sends. Asserts that each broker has every event, and those of each subject in order.
 */
export async function runEventSinks(
  { kind, processes, events, kills }: SinkRun,
  log: (line: string) => void,
): Promise<void> {
  const nats = await startNats()
  const exchange = await createExchange()
  const natsUrl = `nats://127.0.0.1:${nats.port}?stream=${stream}`
  const settings = { EVENT_SINKS: `${natsUrl},${exchange.sink}` }
  const deployment = await openDeployment(kind, { settings })
  try {
    const ports = await Promise.all(Array.from({ length: processes }, () => freePort()))
    const servers: ServerProcess[] = []
    for (const port of ports) {
      const server = deployment.start(port)
      servers.push(server)
      await server.url
    }
    const store = await openStore(deployment.databaseUrl)
    const names = (parseEventSinks(settings.EVENT_SINKS) ?? []).map(({ name }) => name)
    const brokerPorts = [nats.port, Number(new URL(exchange.sink).port || '5672')]
    const startedAt = performance.now()
    for (let part = 0; part <= kills; part += 1) {
      const from = Math.floor((events * part) / (kills + 1))
      const to = Math.floor((events * (part + 1)) / (kills + 1))
      const writing = writeEvents(store, from, to)
      if (part < kills) {
        const target = part % brokerPorts.length
        // The rest of the part is under way.
        const position = Math.floor((from + to) / 2)
        await waitUntilSent(store, names[target] ?? '', position)
        const killed = await killSender(servers, brokerPorts[target] ?? 0)
        log(`killed the process that sends to ${names[target]} after ${position} events`)
        servers[killed] = deployment.start(ports[killed])
        await servers[killed].url
      }
      await writing
    }
    for (const name of names) await waitUntilSent(store, name, events)
    const seconds = (performance.now() - startedAt) / 1000
    await store.close()
    await Promise.all(servers.map((server) => server.stop()))
    const figures = {
      nats: assertComplete(await sentToNats(nats.port), events),
      rabbitmq: assertComplete(await sentToRabbit(exchange), events),
    }
    log(JSON.stringify({ events, seconds: Math.round(seconds), kills, ...figures }))
  } finally {
    await deployment.dispose()
    await exchange.dispose()
    await nats.dispose()
  }
}

/** Writes the events of a range of numbers in several lanes, each of which has subjects of its own. */
async function writeEvents(store: Store, from: number, to: number): Promise<void> {
  const all = Array.from({ length: to - from }, (_, at) => from + at)
  const write = async (lane: number) => {
    const numbers = all.filter((number) => number % lanes === lane)
    for (let at = 0; at < numbers.length; at += eventsAtOnce) {
      const some = numbers.slice(at, at + eventsAtOnce).map((number) => ({
        ...{ type: 'product.updated' as const, time: Date.now(), user_id: null },
        subject: `/products/${number % subjects}`,
        data: JSON.stringify({ id: number }),
      }))
      await store.transaction((db) => recordEvents(db, some))
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => write(lane)))
}

/** The claim of a process that was killed ends after 15 seconds, and a loaded machine is slow. */
async function waitUntilSent({ db }: Store, name: string, position: number): Promise<void> {
  let last = -1
  for (;;) {
    const sent = await pollUntil(
      async () => (await readSinkStates(db, [name]))[0]?.position ?? 0,
      (found) => found >= position || found > last,
    )
    if (sent >= position) return
    last = sent
  }
}

/** Kills the server that is connected to a broker, and returns its number. */
async function killSender(servers: readonly ServerProcess[], port: number): Promise<number> {
  const number = await pollUntil(
    async () => {
      const connected = await Promise.all(
        servers.map(({ process }) => isConnected(process.pid, port)),
      )
      return connected.indexOf(true)
    },
    (found) => found !== -1,
  )
  servers[number]?.process.kill('SIGKILL')
  await servers[number]?.ended
  return number
}

/** True if a process has an established connection to a port of this machine; Linux only. */
async function isConnected(pid: number | undefined, port: number): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const files = await readdir(folder)
  const links = await Promise.all(
    files.map((file) => readlink(`${folder}/${file}`).catch(() => '')),
  )
  const sockets = new Set(links)
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  // Remote address, state (1 is established), inode: proc_net_tcp.
  return rows.some(
    (row) => row[2]?.endsWith(remote) && row[3] === '01' && sockets.has(`socket:[${row[9]}]`),
  )
}

/** An event as a broker has it. */
interface SentEvent {
  readonly subject: string
  readonly number: number
}

async function sentToNats(port: number): Promise<readonly SentEvent[]> {
  const messages = await readStream(port, stream)
  return messages.map(({ json }) => ({ subject: json.subject, number: json.data.id }))
}

/** The consumer has everything once nothing has come for a while. */
async function sentToRabbit({ messages }: OwnExchange): Promise<readonly SentEvent[]> {
  let length = -1
  while (length < messages.length) {
    ;({ length } = messages)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return messages.map(({ properties, content }) => ({
    subject: String(properties.headers?.['cloudEvents:subject']),
    number: (JSON.parse(content) as { id: number }).id,
  }))
}

/** Asserts that every event came, and those of a subject first in their order; returns what came twice. */
function assertComplete(sent: readonly SentEvent[], events: number) {
  const latest = new Map<string, number>()
  const seen = new Set<number>()
  for (const { subject, number } of sent) {
    if (seen.has(number)) continue
    assert.ok(number > (latest.get(subject) ?? -1), `${subject}: ${number} came late`)
    latest.set(subject, number)
    seen.add(number)
  }
  assert.equal(seen.size, events)
  return { received: sent.length, repeated: sent.length - seen.size }
}
