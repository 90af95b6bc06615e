import { withinTimeout } from '#store/within-timeout.ts'
import type { OpenBroker } from './broker.ts'

/** Opens a connection by the protocol of the sink. */
export const openBroker: OpenBroker = async (sink, options) => {
  const opening = openByProtocol(sink, options)
  try {
    return await withinTimeout(opening, options.timeoutMs, 'the broker')
  } catch (error) {
    // It may still open.
    opening.then((broker) => broker.close()).catch(() => undefined)
    throw error
  }
}

/** Loads the package of the protocol. */
const openByProtocol: OpenBroker = async (sink, options) => {
  switch (sink.protocol) {
    case 'nats':
      return (await import('./nats.ts')).openNats(sink, options)
    case 'amqp':
      return (await import('./amqp.ts')).openAmqp(sink, options)
    case 'kafka':
      return (await import('./kafka.ts')).openKafka(sink, options)
    default:
      return sink.protocol satisfies never
  }
}
