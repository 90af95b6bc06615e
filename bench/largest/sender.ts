import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { parentPort } from 'node:worker_threads'
import type { LargestRequest } from '#test/support/largest/requests.ts'

/** A request to send to a port of this machine. */
export interface Sent extends Pick<LargestRequest, 'method' | 'url' | 'headers'> {
  readonly payload?: string | Buffer
  readonly port: number
}

/** What came back: no status where the server ended the connection. */
export interface Received {
  readonly status: number
  readonly bytes: number
}

const agent = new Agent({ keepAlive: true })

async function exchange({ port, method, url, headers, payload }: Sent): Promise<Received> {
  const sent = request({ agent, port, host: '127.0.0.1', method, path: url, headers })
  const answered = once(sent, 'response')
  sent.end(payload === undefined ? undefined : Buffer.from(payload))
  let status = 0
  let bytes = 0
  try {
    const [response] = (await answered) as [IncomingMessage]
    status = response.statusCode ?? 0
    for await (const chunk of response) bytes += chunk.length
  } catch {
    sent.destroy()
  }
  return { status, bytes }
}

parentPort?.on('message', async (sent: Sent) => parentPort?.postMessage(await exchange(sent)))
