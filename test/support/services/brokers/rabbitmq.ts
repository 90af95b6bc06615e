import { randomBytes } from 'node:crypto'
import { type ConsumeMessage, connect } from 'amqplib'

const variable = 'TEST_RABBITMQ_URL'

/** The reason why RabbitMQ cannot be tested, or false: a value for `skip`. */
export const rabbitSkipReason = (): string | false =>
  process.env[variable] === undefined && `RabbitMQ is not tested: ${variable} is not set`

/** A message as a queue has it. */
export interface RabbitMessage {
  readonly routingKey: string
  readonly properties: ConsumeMessage['properties']
  readonly content: string
}

/** An exchange of one test, with a durable queue that gets what is published there. */
export interface OwnExchange {
  /** The URL of a sink for the exchange. */
  readonly sink: string
  /** The messages that a consumer of the queue has got so far. */
  readonly messages: readonly RabbitMessage[]
  readonly dispose: () => Promise<void>
}

/** Creates an exchange on the RabbitMQ of the tests. */
export async function createExchange(): Promise<OwnExchange> {
  const url = new URL(process.env[variable] ?? '')
  const name = `cw-test-${randomBytes(6).toString('hex')}`
  const connection = await connect(url.href)
  const channel = await connection.createChannel()
  await channel.assertExchange(name, 'topic', { durable: true })
  await channel.assertQueue(name, { durable: true })
  await channel.bindQueue(name, name, '#')
  url.search = `?exchange=${name}`
  const messages: RabbitMessage[] = []
  const take = (message: ConsumeMessage | null) => {
    if (message === null) return
    const { fields, properties, content } = message
    messages.push({ routingKey: fields.routingKey, properties, content: content.toString() })
  }
  await channel.consume(name, take, { noAck: true })
  return {
    sink: url.href,
    messages,
    dispose: async () => {
      await channel.deleteQueue(name)
      await channel.deleteExchange(name)
      await connection.close()
    },
  }
}
