import { isIP } from 'node:net'
import { compatibilityPartitioner, Producer, stringSerializers } from '@platformatic/kafka'
import type { CloudEvent } from '#shop/events/cloud-event.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import type { EventSink } from '#values/event-sink.ts'
import { prefixedAttributes } from './attributes.ts'
import { type BrokerOptions, clientName, type OpenBroker } from './broker.ts'

/** Between the attempts of a request. */
const retryDelayMs = 250

/**
 * Opens a connection to Kafka. Events are records in binary content mode with their subject as key, so that
 * those of one subject are in one partition, into which they are written together. The producer is idempotent:
 * what it sends again is stored once.
 */
export const openKafka: OpenBroker = async (sink, options) => {
  const producer = createProducer(sink, options)
  const recordOf = (event: CloudEvent) => ({
    topic: sink.target,
    key: event.subject,
    value: JSON.stringify(event.data),
    headers: {
      ...prefixedAttributes(event, 'ce_'),
      'content-type': event.datacontenttype,
    },
  })
  return {
    send: async (events) => {
      try {
        const sending = producer.send({ messages: events.map(recordOf) })
        await withinTimeout(sending, 2 * options.timeoutMs, 'the broker')
        return { confirmed: events.length }
      } catch (error) {
        return { confirmed: 0, error }
      }
    },
    close: () => producer.close(true).catch(() => undefined),
  }
}

function createProducer(sink: EventSink, { timeoutMs }: BrokerOptions) {
  const { hosts, isEncrypted, credentials, mechanism } = sink
  return new Producer({
    clientId: clientName,
    bootstrapBrokers: [...hosts],
    serializers: stringSerializers,
    idempotent: true,
    // Asks the broker for a new identity.
    producerId: -1n,
    producerEpoch: -1,
    // The one of the Java clients, so that other producers of a key choose the same partition.
    partitioner: compatibilityPartitioner,
    autocreateTopics: true,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    retryDelay: retryDelayMs,
    // An address cannot be the name that a server is asked for.
    ...(isEncrypted ? { tls: {}, tlsServerName: hosts.every(({ host }) => isIP(host) === 0) } : {}),
    ...(credentials && {
      sasl: { mechanism, username: credentials.username, password: credentials.password ?? '' },
    }),
  })
}
