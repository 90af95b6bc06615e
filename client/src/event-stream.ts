import { Problem } from './problem.ts'
import { pause, type Transport } from './transport.ts'
import type { CallOptions, Schemas } from './types.ts'

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
  { type, subject, lastEventId, ...options }: StreamOptions = {},
): AsyncGenerator<Schemas['Event']> {
  const { signal } = options
  const headers = new Headers({ ...options.headers, accept: 'text/event-stream' })
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
  const request = { method: 'GET', path: '/events', query: { type, subject }, isStream: true }
  while (!signal?.aborted) {
    try {
      const { response } = await transport.send({ ...options, ...request, headers })
      for await (const data of messagesOf(response)) {
        const event: Schemas['Event'] = JSON.parse(data)
        headers.set('last-event-id', event.id)
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof Problem && error.status < 500) throw error
    }
    // The loop ends when the signal aborts.
    await pause(reconnectSeconds, signal).catch(() => undefined)
  }
}

/** Yields the data of each message. */
async function* messagesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
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
