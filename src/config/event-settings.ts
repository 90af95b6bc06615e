import { parseEventSinks } from '#values/event-sink.ts'
import { optional, setting, wholeNumber } from './setting.ts'

/** The settings of the feed of events. */
export const eventSettings = {
  eventRetentionDays: setting(
    'EVENT_RETENTION_DAYS',
    { defaultText: '30', description: 'The number of days that events of the feed are kept.' },
    wholeNumber(1, 3650),
  ),
  eventSinks: optional(
    'EVENT_SINKS',
    {
      description:
        'The message brokers that get every event: NATS JetStream, RabbitMQ and Kafka, with what an administrator reads in events. Default: none.',
      secret: true,
    },
    {
      expected:
        'up to ten different URLs, separated by commas: nats://USER:PASSWORD@HOST:PORT?stream=NAME, amqp://…?exchange=NAME or kafka://…?topic=NAME; tls://, amqps:// or kafka+ssl:// for TLS',
      parse: parseEventSinks,
    },
  ),
}
