import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCallbacks } from './callbacks.ts'
import { groupWrites } from './ledger/group-writes.ts'
import { openLedger } from './ledger/ledger.ts'
import { handle, type Request, type Respond, receive } from './routes.ts'

/** Options of a sandbox: `file` stores the charges, `settleMs` is how long charges stay pending. */
export interface SandboxOptions {
  readonly secret: string
  readonly file?: string
  readonly settleMs?: number
  readonly retryMs?: number
  readonly attempts?: number
  readonly now?: () => number
}

/** The built-in payment provider, which moves no money. */
export interface Sandbox {
  /** Handles a request as over HTTP and passes the response to a callback. */
  readonly handle: (request: Request, respond: Respond) => void
  readonly close: () => Promise<void>
}

/** A sandbox that listens at `url` until closed. */
export interface ListeningSandbox extends Sandbox {
  readonly url: string
}

/** Opens a sandbox in this process. Throws when the file cannot be opened. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { secret, now = Date.now, settleMs = 200, retryMs = 200, attempts = 8 } = options
  const ledger = openLedger(options.file)
  const callbacks = startCallbacks(ledger, { secret, now, settleMs, retryMs, attempts })
  for (const key of ledger.due()) callbacks.schedule(key)
  const context = { ledger, callbacks }
  const together = groupWrites(ledger, (request, respond) => handle(context, request, respond))
  return {
    handle: together.handle,
    close: async () => {
      together.end()
      callbacks.close()
      ledger.close()
    },
  }
}

/**
 * Opens a sandbox that listens on a port; 0 takes a free one. Rejects when port or file is
 * unavailable.
 */
export async function startSandbox({
  port,
  host = '127.0.0.1',
  ...options
}: SandboxOptions & { readonly port: number; readonly host?: string }): Promise<ListeningSandbox> {
  const sandbox = openSandbox(options)
  const authorization = Buffer.from(`Bearer ${options.secret}`)
  const server = createServer((request, response) =>
    receive(sandbox.handle, authorization, request, response),
  )
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    await sandbox.close()
    throw error
  }
  let closing: Promise<void> | undefined
  return {
    handle: sandbox.handle,
    url: urlOf(server),
    close() {
      closing ??= stop(server).then(sandbox.close)
      return closing
    },
  }
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
