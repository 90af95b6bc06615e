import type { CloudEvent } from '#shop/events/cloud-event.ts'
import type { EventSink } from '#values/event-sink.ts'

/** What came of sending events. */
export interface Sent {
  /** How many of the first events the broker has stored for certain. */
  readonly confirmed: number
  /** Why the next one is not among them; undefined if there was no failure. */
  readonly error?: unknown
}

/** An open connection to a broker. */
export interface Broker {
  /**
   * Sends events and waits for their confirmation. Events of one subject arrive in order: none before an
   * earlier one is confirmed. Never rejects.
   */
  readonly send: (events: readonly CloudEvent[]) => Promise<Sent>
  /** Ends what is under way, and the connection. */
  readonly close: () => Promise<void>
}

/** Opens a connection to the broker of a sink; what the sink names there is created if it is missing. */
export type OpenBroker = (sink: EventSink, options: BrokerOptions) => Promise<Broker>

/** What connections have in common. */
export interface BrokerOptions {
  /** How long connecting, beginning with the events of a batch, and the confirmation of the last one may take. */
  readonly timeoutMs: number
  /** How long the shop keeps events, for what is created in the broker. */
  readonly retentionMs: number
}

/** The name under which the connections of the shop are listed by brokers. */
export const clientName = 'cartwright'
