import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that a receiver got. */
export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An endpoint of webhooks on 127.0.0.1. */
export interface WebhookReceiver {
  readonly url: string
  /** Every request, in the order of arrival. */
  readonly received: readonly ReceivedWebhook[]
  /** How requests are answered; with 204 at first. */
  respond: (response: ServerResponse, webhook: ReceivedWebhook) => void
  readonly close: () => Promise<void>
}

/** Starts a receiver, by HTTPS if an identity is given. */
export async function startWebhookReceiver(identity?: ServerOptions): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const handle: RequestListener = async (request, response) => {
    const body = await text(request)
    const webhook = { path: request.url ?? '', headers: request.headers, body }
    received.push(webhook)
    receiver.respond(response, webhook)
  }
  const server = identity ? createHttpsServer(identity, handle) : createHttpServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    respond: (response) => {
      response.writeHead(204).end()
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}
