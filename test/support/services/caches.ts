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
import { basename, join } from 'node:path'
import type { App } from '#src/server/compose.ts'
import { freePort } from './ports.ts'

/** A third-party shared cache. */
export interface Cache {
  readonly name: string
  /** The environment variable with the path of its program; its tests are skipped if unset. */
  readonly variable: string
  /** Its configuration, beside this file. */
  readonly config: string
  readonly argumentsFor: (place: {
    readonly folder: string
    readonly config: string
    readonly port: number
  }) => readonly string[]
}

const varnish: Cache = {
  name: 'Varnish',
  variable: 'TEST_VARNISH',
  config: 'caches/varnish.vcl',
  // Gzip support would re-encode bodies, which could then not be compared.
  argumentsFor: ({ folder, config, port }) =>
    ['-F', '-j', 'none', '-n', folder, '-f', config, '-a', `127.0.0.1:${port}`].concat([
      '-s',
      'malloc,64m',
      '-p',
      'http_gzip_support=off',
    ]),
}

/** Varnish with the shipped configuration, which is purged. */
export const shippedVarnish: Cache = { ...varnish, config: '../../../deploy/varnish.vcl' }

/** The shared caches to test with. */
export const caches: readonly Cache[] = [
  {
    name: 'nginx',
    variable: 'TEST_NGINX',
    config: 'caches/nginx.conf',
    argumentsFor: ({ folder, config }) => ['-p', folder, '-c', config, '-e', `${folder}/error.log`],
  },
  varnish,
]

/** The reason why a cache cannot be tested, or false: a value for `skip`. */
export const cacheSkipReason = ({ name, variable }: Cache): string | false =>
  process.env[variable] === undefined && `${name} is not tested: ${variable} is not set`

/** A running cache. */
export interface RunningCache {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts an empty cache in front of the server on the port `origin`. */
export async function startCache(cache: Cache, origin: number): Promise<RunningCache> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-cache-'))
  const port = await freePort()
  const config = join(folder, basename(cache.config))
  const text = await readFile(join(import.meta.dirname, cache.config), 'utf8')
  const values: Readonly<Record<string, unknown>> = { folder, port, origin }
  await writeFile(
    config,
    text
      .replace(/\{(folder|port|origin)\}/g, (_, name: string) => String(values[name]))
      .replace('"8080"', `"${origin}"`),
  )
  const program = process.env[cache.variable] ?? cache.name
  const child = spawn(program, cache.argumentsFor({ folder, config, port }), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
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
    throw new Error(`${cache.name} does not listen:\n${output}`)
  }
  return { port, stop }
}

/** Waits up to ten seconds until the port accepts connections; false if the process ends first. */
async function listens(port: number, hasEnded: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 200 && !hasEnded(); attempt++) {
    const socket = connect(port, '127.0.0.1')
    const [isConnected] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'close').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (isConnected) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** A request that reached the origin, and the status of the response. */
interface OriginRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  status: number
}

/** The listening application; it records the requests that reach it. */
export interface Origin {
  readonly port: number
  /** Returns the requests since the last call. */
  readonly takeRequests: () => readonly OriginRequest[]
  /** Rewrites Cache-Control, so that responses expire within a test. */
  rewriteCacheControl: (control: string) => string
  /** While true, every connection is destroyed. */
  isDown: boolean
  readonly stop: () => Promise<void>
}

/** Serves an application on a new port. */
export async function startOrigin({ app }: App): Promise<Origin> {
  await app.ready()
  let requests: OriginRequest[] = []
  const server: Server = createServer((incoming, outgoing) => {
    if (origin.isDown) {
      incoming.socket.destroy()
      return
    }
    const { method = '', url = '', headers } = incoming
    const entry: OriginRequest = { method, url, headers, status: 0 }
    requests.push(entry)
    outgoing.on('finish', () => {
      entry.status = outgoing.statusCode
    })
    rewriteResponse(outgoing, (control) => origin.rewriteCacheControl(control))
    app.routing(incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin: Origin = {
    port: (server.address() as AddressInfo).port,
    takeRequests: () => {
      const taken = requests
      requests = []
      return taken
    },
    rewriteCacheControl: (control) => control,
    isDown: false,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return origin
}

function rewriteResponse(outgoing: ServerResponse, rewrite: (control: string) => string): void {
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = ((status: number, headers: Record<string, string>) => {
    const control = headers['cache-control']
    return writeHead(
      status,
      control === undefined ? headers : { ...headers, 'cache-control': rewrite(control) },
    )
  }) as ServerResponse['writeHead']
}

/** A response as received from a socket. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Sends a request to a port of this machine. */
export async function sendRequest(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: string,
): Promise<RawResponse> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks),
  }
}
