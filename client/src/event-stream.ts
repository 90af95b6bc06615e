import { ConnectionLost, type Problem } from './problem.ts'
import type { Schemas } from './routes.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Which events to receive. */
export interface StreamOptions extends CallOptions {
  /** Names of types, such as `order.paid` or `order.*`. */
  readonly type?: string | readonly string[]
  readonly subject?: string
  /** Continues after this event; without it the stream begins now. */
  readonly lastEventId?: string
}

const reconnectSeconds = 1

/**
 * Yields events as they happen until `signal` aborts (WHATWG HTML, server-sent events). Continues after the last
 * event when the connection breaks. Throws `Problem`, 410 if the last event is too old.
 */
export async function* streamEvents(
  transport: Transport,
  { type, subject, lastEventId, signal, headers }: StreamOptions = {},
): AsyncGenerator<Schemas['Event']> {
  let last = lastEventId
  while (!signal?.aborted) {
    try {
      const response = await transport.open({
        method: 'GET',
        path: '/events',
        query: { type, subject },
        headers: {
          ...headers,
          accept: 'text/event-stream',
          ...(last === undefined ? {} : { 'last-event-id': last }),
        },
        ...(signal ? { signal } : {}),
      })
      for await (const data of messagesOf(response)) {
        const event: Schemas['Event'] = JSON.parse(data)
        last = event.id
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isPermanent(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectSeconds * 1000))
  }
}

const isPermanent = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error as Problem).status < 500

/** Yields the data of each message; throws `ConnectionLost` if the connection breaks. */
async function* messagesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        throw new ConnectionLost('The stream of events ended', { cause })
      })
      if (done) return
      const messages = (text + value).split(/\r?\n\r?\n/)
      text = messages.pop() ?? ''
      for (const message of messages) {
        const lines = message.split(/\r?\n/).filter((line) => line.startsWith('data:'))
        if (lines.length > 0) yield lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
