import { setTimeout as sleep } from 'node:timers/promises'

/** A server-sent event as a client receives it. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  readonly data: any
}

/** An open stream of server-sent events. */
export interface ReceivedStream {
  readonly status: number
  readonly headers: Headers
  /** The events so far. */
  readonly events: readonly ReceivedEvent[]
  /** Everything that was received. */
  readonly text: () => string
  /** Resolves once the server has ended the stream. */
  readonly ended: Promise<void>
  /** Waits until so many events have been received; throws after 20 seconds or at the end of the stream. */
  readonly waitFor: (count: number) => Promise<void>
  readonly close: () => void
}

/** Opens a stream; the response may also be a problem. */
export async function receiveEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReceivedStream> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  const events: ReceivedEvent[] = []
  let text = ''
  let hasEnded = false
  const read = async () => {
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const data = field('data')
        if (data === undefined) continue
        events.push({ id: field('id') ?? '', event: field('event') ?? '', data: JSON.parse(data) })
      }
    }
  }
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
    })
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    ended,
    waitFor: async (count) => {
      for (let waited = 0; events.length < count; waited += 10) {
        if (hasEnded || waited > 20_000) {
          throw new Error(`${events.length} of ${count} events were received`)
        }
        await sleep(10)
      }
    },
    close: () => controller.abort(),
  }
}
