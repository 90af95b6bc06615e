import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '#src/config/config.ts'
import type { App } from './compose.ts'
import type { Listener } from './shutdown.ts'
import { StartError } from './start-error.ts'

// Below the ports that systems give to outgoing connections and to whoever asks for any port, so that
// none of these takes it before the server listens.
const [firstFreePort, endOfFreePorts] = [20_000, 32_768]

/** The port to listen on: the one that is set or, where that is 0, one that is free now. */
async function choosePort(port: number, host: string): Promise<number> {
  if (port !== 0) return port
  for (;;) {
    const found = randomInt(firstFreePort, endOfFreePorts)
    const probe = createServer().listen(found, host)
    try {
      await once(probe, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    probe.close()
    await once(probe, 'close')
    return found
  }
}

/** Listens; throws a StartError where the address cannot be had. */
export async function listen({ app }: App, host: string, port: number): Promise<void> {
  await app.listen({ host, port }).catch((error) => objectTo(error, 'PORT', host, port))
}

/** Listens at another door; throws a StartError where the address cannot be had. */
export async function listenAt({ server }: Listener, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error) => objectTo(error, 'TLS_PORT', host, port))
}

function objectTo(error: NodeJS.ErrnoException, setting: string, host: string, port: number) {
  const { code = '' } = error
  const objection = objections[code]
  if (objection === undefined) throw error
  const wrong = code in ofThePort ? setting : 'HOST'
  throw new StartError(`${wrong}: ${objection} (${host}:${port})`)
}

const ofThePort: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there already',
  EACCES: 'this user may not listen there',
}
const objections: Readonly<Record<string, string>> = {
  ...ofThePort,
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no machine of this name',
}

/** The ports that a server listens on; no `tlsPort` where it offers no HTTPS. */
export interface Ports {
  readonly port: number
  readonly tlsPort?: number
}

/** The ports that are set or, where one is 0, that are free now. */
export async function choosePorts(config: Config): Promise<Ports> {
  const port = await choosePort(config.port, config.host)
  if (config.tlsCert === undefined) return { port }
  let tlsPort = await choosePort(config.tlsPort, config.host)
  // A port that was free a moment ago may be offered twice.
  while (config.tlsPort === 0 && tlsPort === port) tlsPort = await choosePort(0, config.host)
  return { port, tlsPort }
}

/** Where clients reach the server. */
export function publicUrl({ baseUrl }: Config, { port, tlsPort }: Ports): string {
  if (baseUrl !== undefined) return baseUrl
  if (tlsPort === undefined) return `http://localhost:${port}`
  return `https://localhost${tlsPort === 443 ? '' : `:${tlsPort}`}`
}

/**
 * Where a payment provider at `providerUrl`, or within this process, sends its notifications; one on
 * this machine goes no detour.
 */
export function notificationUrl(config: Config, ports: Ports, providerUrl?: string): string {
  const hostname = providerUrl === undefined ? 'localhost' : new URL(providerUrl).hostname
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  const base = isHere ? `http://${reachable(config.host)}:${ports.port}` : publicUrl(config, ports)
  return `${base}/payment-notifications`
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
