import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '#src/server/compose.ts'
import { freePort } from '#test/support/callers/paying.ts'

/** A shared cache of somebody else's making. */
export interface Cache {
  readonly name: string
  /** Names its program; tests of it are skipped where that is not there. */
  readonly variable: string
  readonly config: string
  readonly argumentsFor: (place: {
    readonly folder: string
    readonly config: string
    readonly port: number
  }) => readonly string[]
}

/** The caches that answers are held to. */
export const caches: readonly Cache[] = [
  {
    name: 'nginx',
    variable: 'TEST_NGINX',
    config: 'nginx.conf',
    argumentsFor: ({ folder, config }) => ['-p', folder, '-c', config, '-e', `${folder}/error.log`],
  },
  {
    name: 'Varnish',
    variable: 'TEST_VARNISH',
    config: 'varnish.vcl',
    // It would recode bodies by itself, and what it sends could not be compared.
    argumentsFor: ({ folder, config, port }) =>
      ['-F', '-j', 'none', '-n', folder, '-f', config, '-a', `127.0.0.1:${port}`].concat([
        '-s',
        'malloc,64m',
        '-p',
        'http_gzip_support=off',
      ]),
  },
]

/** Says why a cache cannot be tested, or false where it can: what `skip` takes. */
export const cacheSkipReason = ({ name, variable }: Cache): string | false =>
  process.env[variable] === undefined && `${name} is not tested: ${variable} is not set`

/** Where a cache listens, and how it is stopped. */
export interface Running {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts a cache with an empty store before the server on this port. */
export async function startCache(cache: Cache, origin: number): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-cache-'))
  const port = await freePort()
  const config = join(folder, cache.config)
  const text = await readFile(join(import.meta.dirname, 'caches', cache.config), 'utf8')
  const values: Readonly<Record<string, unknown>> = { folder, port, origin }
  await writeFile(
    config,
    text.replace(/\{(folder|port|origin)\}/g, (_, name: string) => String(values[name])),
  )
  const program = process.env[cache.variable] ?? cache.name
  const child = spawn(program, cache.argumentsFor({ folder, config, port }), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
  }
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    process.off('exit', kill)
    await rm(folder, { recursive: true, force: true })
  }
  if (!(await listens(port, () => child.exitCode !== null))) {
    await stop()
    throw new Error(`${cache.name} does not listen:\n${said}`)
  }
  return { port, stop }
}

/** Waits up to ten seconds for somebody to listen, or until it has ended. */
async function listens(port: number, hasEnded: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 200 && !hasEnded(); attempt++) {
    const socket = connect(port, '127.0.0.1')
    const [met] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'close').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (met) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** What the server was asked, and what it answered with. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  status: number
}

/** The application, listening, with a look at what it is asked. */
export interface Origin {
  readonly port: number
  /** What was asked since the last time. */
  readonly take: () => readonly Asked[]
  /** Rewrites Cache-Control, so that answers age within a test. */
  lapse: (control: string) => string
  /** While true, every connection breaks. */
  isDown: boolean
  readonly stop: () => Promise<void>
}

/** Serves an application on a port of its own. */
export async function startOrigin({ app }: App): Promise<Origin> {
  await app.ready()
  let asked: Asked[] = []
  const server: Server = createServer((incoming, outgoing) => {
    if (origin.isDown) {
      incoming.socket.destroy()
      return
    }
    const { method = '', url = '', headers } = incoming
    const entry: Asked = { method, url, headers, status: 0 }
    asked.push(entry)
    outgoing.on('finish', () => {
      entry.status = outgoing.statusCode
    })
    hasten(outgoing, (control) => origin.lapse(control))
    app.routing(incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin: Origin = {
    port: (server.address() as AddressInfo).port,
    take: () => {
      const taken = asked
      asked = []
      return taken
    },
    lapse: (control) => control,
    isDown: false,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return origin
}

function hasten(outgoing: ServerResponse, lapse: (control: string) => string): void {
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = ((status: number, headers: Record<string, string>) => {
    const control = headers['cache-control']
    return writeHead(
      status,
      control === undefined ? headers : { ...headers, 'cache-control': lapse(control) },
    )
  }) as ServerResponse['writeHead']
}

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Asks whoever listens on this port. */
export async function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: string,
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }
}
