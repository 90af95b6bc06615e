import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import type { CloudEvent } from '#shop/events/cloud-event.ts'
import type { BrokerCredentials, BrokerHost, EventSink } from '#values/event-sink.ts'
import { type BrokerOptions, clientName, type OpenBroker } from './broker.ts'
import { sendInOrder } from './send-in-order.ts'

const streamNotFound = 10_059
const nanosecondsPerMs = 1_000_000

/**
 * Opens a connection to NATS JetStream. Events are messages in the JSON format of CloudEvents, under what the
 * stream takes and their type, such as `SHOP.order.paid`. The stream drops one whose ID it has had in its
 * window for duplicates.
 */
export const openNats: OpenBroker = async (sink, options) => {
  const { timeoutMs: timeout } = options
  const connection = await connect({
    servers: sink.hosts.map(addressOf),
    name: clientName,
    reconnect: false,
    timeout,
    noAsyncTraces: true,
    ...(sink.isEncrypted ? { tls: {} } : {}),
    ...credentialsOf(sink.credentials),
  })
  try {
    const subjectOf = await subjectsOf(connection, sink, options)
    const client = (await jetstreamManager(connection, { checkAPI: false, timeout })).jetstream()
    const sendOne = (event: CloudEvent) => {
      const fields = headers()
      fields.set('Content-Type', 'application/cloudevents+json')
      return client.publish(subjectOf(event), JSON.stringify(event), {
        ...{ timeout, msgID: event.id, headers: fields, expect: { streamName: sink.target } },
      })
    }
    return {
      send: (events) => sendInOrder(events, timeout, sendOne),
      close: () => connection.close(),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

const addressOf = ({ host, port }: BrokerHost): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

const credentialsOf = (credentials: BrokerCredentials | undefined) => {
  if (credentials === undefined) return {}
  const { username, password } = credentials
  return password === undefined ? { token: username } : { user: username, pass: password }
}

/**
 * Returns the subjects of events: under the one that the sink names, or else the first one of the stream, which
 * is created if it is missing.
 */
async function subjectsOf(
  connection: NatsConnection,
  { target, subject }: EventSink,
  options: BrokerOptions,
): Promise<(event: CloudEvent) => string> {
  const pattern =
    subject === undefined ? await takenBy(connection, target, options) : `${subject}.>`
  return ({ type }) => pattern.replace(/>$/, type)
}

async function takenBy(
  connection: NatsConnection,
  name: string,
  { timeoutMs: timeout, retentionMs }: BrokerOptions,
): Promise<string> {
  const { streams } = await jetstreamManager(connection, { checkAPI: false, timeout })
  const own = `${name}.>`
  try {
    return (await streams.info(name)).config.subjects[0] ?? own
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== streamNotFound) throw error
    await streams.add({ name, subjects: [own], max_age: retentionMs * nanosecondsPerMs })
    return own
  }
}
