import { Problem } from './problem.ts'
import type { CallOptions, Schemas } from './resource.ts'
import type { Routes } from './routes.ts'
import { pause, type Transport } from './transport.ts'

type EventFilter = Pick<Routes['GET /events']['query'], 'type' | 'subject'>

/** Which events to receive. */
export interface StreamOptions extends CallOptions, EventFilter {
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
  { type, subject, lastEventId, ...options }: StreamOptions = {},
): AsyncGenerator<Schemas['Event']> {
  const headers: Record<string, string> = { ...options.headers, accept: 'text/event-stream' }
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
  const request = { ...options, method: 'GET', path: '/events', query: { type, subject }, headers }
  while (!options.signal?.aborted) {
    try {
      for await (const data of messagesOf(await transport.send(request))) {
        const event: Schemas['Event'] = JSON.parse(data)
        headers['last-event-id'] = event.id
        yield event
      }
    } catch (error) {
      if (options.signal?.aborted) return
      if (error instanceof Problem && error.status < 500) throw error
    }
    await pause(reconnectSeconds, options.signal)
  }
}

/** Yields the data of each message. */
async function* messagesOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader()
  let text = ''
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const messages = (text + chunk.value).split(/\r?\n\r?\n/)
      text = messages.pop() ?? ''
      for (const message of messages) {
        const lines = [...message.matchAll(/^data: ?(.*?)\r?$/gm)].map(([, line]) => line)
        if (lines.length > 0) yield lines.join('\n')
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
