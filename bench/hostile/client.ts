import { Agent, type IncomingMessage, request } from 'node:http'

/** A request from a network that a trusted proxy names. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  /** The address of the client. */
  readonly from: string
  readonly token?: string
  readonly type?: string
  readonly isGzipped?: boolean
  readonly accept?: string
  readonly body?: string | Buffer | object
}

/** The status of a response, 0 for none, and its body. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends requests over keep-alive connections. */
export interface Client {
  readonly send: (sent: SentRequest) => Promise<Answer>
  /** Sends a request and returns its response, whose body is not read. */
  readonly open: (sent: SentRequest) => Promise<IncomingMessage>
  readonly close: () => void
}

const giveUpMs = 10_000

/** Creates a client of the server at `port`, with so many connections. */
export function createClient(port: number, maxSockets: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const open = (sent: SentRequest, signal?: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, path } = sent
      const outgoing = request(
        { port, host: '127.0.0.1', agent, method, path, headers: headersOf(sent), signal },
        resolve,
      )
      outgoing.once('error', reject).end(bodyOf(sent))
    })
  return {
    open,
    send: async (sent) => {
      try {
        const response = await open(sent, AbortSignal.timeout(giveUpMs))
        const chunks = await response.toArray()
        return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
      } catch {
        return { status: 0, text: '' }
      }
    },
    close: () => agent.destroy(),
  }
}

function headersOf({ from, token, type, isGzipped, accept, body }: SentRequest) {
  return {
    'x-forwarded-for': from,
    'x-forwarded-proto': 'https',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
    ...(isGzipped && { 'content-encoding': 'gzip' }),
    ...(accept !== undefined && { accept }),
  }
}

const bodyOf = ({ body }: SentRequest): string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    ? body
    : JSON.stringify(body)
