import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '#src/config/config.ts'
import type { App } from './compose.ts'
import type { Listener } from './shutdown.ts'
import { StartError } from './start-error.ts'

// Below the ephemeral ports, so that no other program is assigned the port before the server listens.
const [firstFreePort, endOfFreePorts] = [20_000, 32_768]

/** Returns `port`, or a free port when it is 0. */
async function choosePort(port: number, host: string): Promise<number> {
  if (port !== 0) return port
  for (;;) {
    const candidate = randomInt(firstFreePort, endOfFreePorts)
    const probe = createServer().listen(candidate, host)
    try {
      await once(probe, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    probe.close()
    await once(probe, 'close')
    return candidate
  }
}

/** Listens for plain HTTP. Throws a StartError when the address is not available. */
export async function listen({ app }: App, host: string, port: number): Promise<void> {
  await app.listen({ host, port }).catch((error) => throwListenError(error, 'PORT', host, port))
}

/**
 * Listens with a further listener, such as HTTPS. Throws a StartError when the address is not
 * available.
 */
export async function listenAt({ server }: Listener, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error) => throwListenError(error, 'TLS_PORT', host, port))
}

function throwListenError(
  error: NodeJS.ErrnoException,
  setting: string,
  host: string,
  port: number,
) {
  const { code = '' } = error
  const reason = listenErrors[code]
  if (reason === undefined) throw error
  const name = code in portErrors ? setting : 'HOST'
  throw new StartError(`${name}: ${reason} (${host}:${port})`)
}

const portErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process already listens on this port',
  EACCES: 'this user may not listen on this port',
}
const listenErrors: Readonly<Record<string, string>> = {
  ...portErrors,
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'this host name cannot be resolved',
}

/** The ports of a server; `tlsPort` is undefined without HTTPS. */
export interface Ports {
  readonly port: number
  readonly tlsPort?: number
}

/** Returns the configured ports, with free ports in place of 0. */
export async function choosePorts(config: Config): Promise<Ports> {
  const port = await choosePort(config.port, config.host)
  if (config.tlsCert === undefined) return { port }
  let tlsPort = await choosePort(config.tlsPort, config.host)
  // The same free port may be chosen twice.
  while (config.tlsPort === 0 && tlsPort === port) tlsPort = await choosePort(0, config.host)
  return { port, tlsPort }
}

/** Returns the URL that clients use. */
export function publicUrl({ baseUrl }: Config, { port, tlsPort }: Ports): string {
  if (baseUrl !== undefined) return baseUrl
  if (tlsPort === undefined) return `http://localhost:${port}`
  return `https://localhost${tlsPort === 443 ? '' : `:${tlsPort}`}`
}

/**
 * Returns the URL for notifications of the payment provider. A provider in this process, which has no
 * `providerUrl`, or on this machine uses the plain HTTP port directly.
 */
export function notificationUrl(config: Config, ports: Ports, providerUrl?: string): string {
  const hostname = providerUrl === undefined ? 'localhost' : new URL(providerUrl).hostname
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  const base = isLocal ? `http://${urlHost(config.host)}:${ports.port}` : publicUrl(config, ports)
  return `${base}/payment-notifications`
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
