import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { freePort } from '#test/support/services/ports.ts'

const variable = 'TEST_NATS_SERVER'

/** The reason why tests cannot start a NATS server, or false: a value for `skip`. */
export const natsSkipReason = (): string | false =>
  process.env[variable] === undefined && `NATS is not tested: ${variable} is not set`

/** A NATS server with JetStream of one test, which may kill it and start it again. */
export interface OwnNats {
  readonly port: number
  /** Starts the server with what it has stored. */
  readonly start: () => Promise<void>
  readonly kill: () => Promise<void>
  readonly dispose: () => Promise<void>
}

/** A message of a stream. */
export interface NatsMessage {
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  /** The text of the message, read as JSON. */
  readonly json: {
    readonly id: string
    readonly subject: string
    readonly data: { readonly id: number }
  }
}

/** Returns the messages of a stream, in order. */
export async function readStream(
  port: number,
  stream: string,
  credentials: { readonly user?: string; readonly pass?: string } = {},
): Promise<readonly NatsMessage[]> {
  const connection = await connect({ servers: `127.0.0.1:${port}`, ...credentials })
  try {
    const client = jetstream(connection)
    const { state } = await (await client.jetstreamManager()).streams.info(stream)
    const read: NatsMessage[] = []
    if (state.messages === 0) return read
    const messages = await (await client.consumers.get(stream)).consume()
    for await (const message of messages) {
      const fields = message.headers?.keys().map((name) => [name, message.headers?.get(name) ?? ''])
      read.push({
        subject: message.subject,
        headers: Object.fromEntries(fields ?? []),
        json: message.json(),
      })
      if (read.length === state.messages) break
    }
    return read
  } finally {
    await connection.close()
  }
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts an empty NATS server with JetStream; `args` are further arguments. */
export async function startNats(...args: readonly string[]): Promise<OwnNats> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-nats-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const command = ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder, ...args]
    const started = spawn(process.env[variable] ?? '', command, {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    running.add(started)
    await new Promise<void>((resolve, reject) => {
      let output = ''
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Server is ready')) resolve()
      })
      started.once('close', () => reject(new Error(`nats-server ended:\n${output}`)))
    })
  }
  const kill = async () => {
    const current = child
    child = undefined
    if (current === undefined || current.exitCode !== null) return
    running.delete(current)
    const closed = once(current, 'close')
    current.kill('SIGKILL')
    await closed
  }
  await start()
  return {
    port,
    start,
    kill,
    dispose: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
