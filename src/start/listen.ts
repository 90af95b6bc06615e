import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { App } from '#src/app.ts'
import type { Config } from '#src/config.ts'
import { StartError } from '#src/operations/start-error.ts'

/** The port to listen on: the one that is set or, where that is 0, one that is free now. */
export async function choosePort({ port, host }: Config): Promise<number> {
  if (port !== 0) return port
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const found = (probe.address() as AddressInfo).port
  probe.close()
  await once(probe, 'close')
  return found
}

/** Listens; throws a StartError where the address cannot be had. */
export async function listen({ app }: App, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || !(code in objections)) throw error
    throw new StartError(`${objections[code]} (${host}:${port})`)
  }
}

const objections: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another process listens there already',
  EACCES: 'PORT: this user may not listen there',
  EADDRNOTAVAIL: 'HOST: this machine has no such address',
  ENOTFOUND: 'HOST: there is no machine of this name',
}

/** Where clients reach the server. */
export const publicUrl = ({ baseUrl }: Config, port: number): string =>
  baseUrl ?? `http://localhost:${port}`

/** Where a payment provider at `providerUrl` sends its notifications; one on this machine goes no detour. */
export function notificationUrl(config: Config, port: number, providerUrl: string): string {
  const { hostname } = new URL(providerUrl)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  const base = isHere ? `http://${reachable(config.host)}:${port}` : publicUrl(config, port)
  return `${base}/payment-notifications`
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
