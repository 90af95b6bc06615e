import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to connections and to servers that ask for any. */
const minPort = 20_000
const maxPort = 30_000

/**
 * Finds a free TCP port of this machine. No other process gets it from here while this one runs, so that a
 * server may listen on it later, or restart.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(minPort, maxPort)
    if ((await reserve(port)) && (await isFree(port))) return port
  }
}

/** Binds the UDP port of the same number, which the system gives to one process and frees with its end. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind({ port, address: '127.0.0.1', exclusive: true }).unref()
  return settles(once(socket, 'listening'))
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  if (!(await settles(once(probe, 'listening')))) return false
  probe.close()
  await once(probe, 'close')
  return true
}

const settles = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
