import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProviderClient } from '#shop/providers/http/provider-client.ts'
import { startCallbacks } from './callbacks.ts'
import { groupWrites } from './ledger/group-writes.ts'
import { openLedger } from './ledger/ledger.ts'
import { handle, handleHttpRequest, type Request, type Respond } from './routes.ts'
import { createSandboxClient } from './sandbox-client.ts'
import { warn } from './warn.ts'

/**
 * Options of a sandbox: `file` stores the charges, `settleMs` is how long charges stay pending,
 * `pageUrl` is the URL under which buyers find the pages of their payments; by default the sandbox
 * serves them itself, if it listens.
 */
export interface SandboxOptions {
  readonly secret: string
  readonly pageUrl?: string
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
export function openSandbox(
  options: SandboxOptions,
  pageUrl = () => options.pageUrl ?? '',
): Sandbox {
  const { secret, now = Date.now, settleMs = 200, retryMs = 200, attempts = 8 } = options
  const ledger = openLedger(options.file)
  const callbacks = startCallbacks(ledger, { secret, now, settleMs, retryMs, attempts })
  for (const key of ledger.due()) callbacks.schedule(key)
  const context = { ledger, callbacks, pageUrl }
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
  const sandbox = openSandbox(options, () => options.pageUrl ?? urlOf(server) + pagePath)
  const authorization = Buffer.from(`Bearer ${options.secret}`)
  const client = createSandboxClient(sandbox, pageTimeoutMs)
  const server = createServer((request, response) =>
    request.url?.startsWith(`${pagePath}/`)
      ? void servePage(client, request, response).catch(warn)
      : handleHttpRequest(sandbox.handle, authorization, request, response),
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

const pagePath = '/pages'
const pageTimeoutMs = 5_000
const pageBodyLimitBytes = 4_096

/** Serves the page of a payment, which needs no authorization: its address is a secret. */
async function servePage(
  client: ProviderClient,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { respondToPage } = await import('./page/respond.ts')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > pageBodyLimitBytes) return void response.destroy()
    chunks.push(chunk)
  }
  const { method = 'GET', headers, url = '' } = request
  const [, secret = ''] = /\/([\w-]+)(?:\?|$)/.exec(url) ?? []
  const body = Buffer.concat(chunks)
  const page = await respondToPage(client, {
    method,
    secret,
    headers,
    body,
    shopName: 'Payment sandbox',
  })
  response.writeHead(page.status, page.headers).end(page.text)
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
