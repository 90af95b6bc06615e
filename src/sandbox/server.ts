import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCallbacks } from './callbacks.ts'
import { openLedger } from './ledger.ts'
import { type Context, receive } from './routes.ts'

// An import would load all of fetch with it, which nobody needs here: 20 ms and 16 MB.
const { createServer } = process.getBuiltinModule('node:http')

/** How a sandbox is started: `port` 0 takes any free one, `file` keeps the charges across restarts, `settleMs` is how long pending charges stay so. */
export interface SandboxOptions {
  readonly port: number
  readonly secret: string
  readonly host?: string
  readonly file?: string
  readonly settleMs?: number
  readonly retryMs?: number
  readonly attempts?: number
  readonly now?: () => number
}

/** A sandbox that listens at `url` until it is closed. */
export interface Sandbox {
  readonly url: string
  close(): Promise<void>
}

/** Starts the built-in payment provider, which moves no money; rejects where the port or the file cannot be had. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, secret, host = '127.0.0.1', now = Date.now } = options
  const { settleMs = 200, retryMs = 200, attempts = 8 } = options
  const ledger = openLedger(options.file)
  const callbacks = startCallbacks(ledger, { secret, now, settleMs, retryMs, attempts })
  const context = { ledger, callbacks, authorization: Buffer.from(`Bearer ${secret}`) }
  const server = createServer((request, response) => receive(context, request, response))
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    ledger.close()
    throw error
  }
  for (const key of ledger.due()) callbacks.follow(key)
  let closing: Promise<void> | undefined
  return {
    url: urlOf(server),
    close() {
      closing ??= shutDown(server, context)
      return closing
    },
  }
}

async function shutDown(server: Server, { callbacks, ledger }: Context): Promise<void> {
  callbacks.close()
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
  ledger.close()
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
