import type { OpenBroker } from './broker.ts'

/** Opens a connection by the protocol of the sink, whose package is loaded now. */
export const openBroker: OpenBroker = async (sink, options) => {
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
