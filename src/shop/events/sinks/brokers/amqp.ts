import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib'
import type { CloudEvent } from '#shop/events/cloud-event.ts'
import type { EventSink } from '#values/event-sink.ts'
import { fromIsoText, secondMs } from '#values/instant.ts'
import { prefixedAttributes } from './attributes.ts'
import { type BrokerOptions, clientName, type OpenBroker } from './broker.ts'
import { sendInOrder } from './send-in-order.ts'

const heartbeatSeconds = 10

/**
 * Opens a connection to RabbitMQ by AMQP 0-9-1. Events are persistent messages with their type as routing key;
 * their attributes are headers, which AMQP 1.0 has as application properties.
 */
export const openAmqp: OpenBroker = async (sink, options) => {
  const { timeoutMs } = options
  const connection = await connectToAny(sink, options)
  try {
    const channel = await connection.createConfirmChannel()
    channel.on('error', () => undefined)
    await requireExchange(connection, sink.target)
    return {
      send: (events) =>
        sendInOrder(events, timeoutMs, (event) => publish(channel, sink.target, event, timeoutMs)),
      close: () => closeQuietly(connection),
    }
  } catch (error) {
    await closeQuietly(connection)
    throw error
  }
}

/** Connects to the first server that answers. */
async function connectToAny(
  { hosts, isEncrypted, credentials, virtualHost }: EventSink,
  { timeoutMs }: BrokerOptions,
): Promise<ChannelModel> {
  const errors: unknown[] = []
  for (const { host, port } of hosts) {
    try {
      const connection = await connect(
        {
          protocol: isEncrypted ? 'amqps' : 'amqp',
          hostname: host,
          port,
          vhost: virtualHost,
          heartbeat: heartbeatSeconds,
          username: credentials?.username ?? 'guest',
          password: credentials?.password ?? 'guest',
        },
        { timeout: timeoutMs / hosts.length, clientProperties: { connection_name: clientName } },
      )
      // Without a listener the process would end. What is under way fails by itself.
      connection.on('error', () => undefined)
      return connection
    } catch (error) {
      errors.push(error)
    }
  }
  throw new AggregateError(errors, 'no server answers')
}

/** Creates a durable topic exchange, unless there is one of this name, of whatever type. */
async function requireExchange(connection: ChannelModel, name: string): Promise<void> {
  const checking = await openChannel(connection)
  try {
    await checking.checkExchange(name)
    await checking.close()
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 404) throw error
    // The server has closed the channel.
    const creating = await openChannel(connection)
    await creating.assertExchange(name, 'topic', { durable: true })
    await creating.close()
  }
}

async function openChannel(connection: ChannelModel): Promise<Channel> {
  const channel = await connection.createChannel()
  channel.on('error', () => undefined)
  return channel
}

/** Resolves once the server has the message on disk, in every queue that takes it. */
function publish(
  channel: ConfirmChannel,
  exchange: string,
  event: CloudEvent,
  timeoutMs: number,
): Promise<void> {
  const { id, type, time, datacontenttype, data } = event
  const properties = {
    contentType: datacontenttype,
    headers: prefixedAttributes(event, 'cloudEvents:'),
    persistent: true,
    messageId: id,
    timestamp: Math.floor((fromIsoText(time) ?? 0) / secondMs),
    type,
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server confirms nothing')), timeoutMs)
    channel.publish(exchange, type, Buffer.from(JSON.stringify(data)), properties, (error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** A connection that is lost already cannot be closed. */
const closeQuietly = (connection: ChannelModel): Promise<void> =>
  connection.close().catch(() => undefined)
