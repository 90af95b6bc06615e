import type { SinkParts } from '#shop/events/sinks/publisher.ts'
import type { Config } from '#src/config/config.ts'
import { createBackgroundPace } from '#src/server/background-pace.ts'

/** The longest pause after a batch while more events wait, however busy the process is. */
const maxPauseMs = 100

/** The sinks of a process. */
interface EventSinks {
  readonly stop: () => Promise<void>
}

/** Starts to send events to the configured brokers; loads nothing without any. */
export async function startEventSinks(
  { eventSinks, eventRetentionDays }: Pick<Config, 'eventSinks' | 'eventRetentionDays'>,
  parts: Omit<SinkParts, 'eventDays' | 'pace'>,
): Promise<EventSinks> {
  if (eventSinks === undefined) return { stop: async () => undefined }
  const { SinkPublisher } = await import('#shop/events/sinks/publisher.ts')
  const publishers = eventSinks.map((sink) => {
    const pace = createBackgroundPace(maxPauseMs)
    return new SinkPublisher(sink, { ...parts, eventDays: eventRetentionDays, pace })
  })
  return {
    stop: async () => {
      await Promise.all(publishers.map((publisher) => publisher.stop()))
    },
  }
}
