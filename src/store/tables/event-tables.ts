import type { Generated } from 'kysely'

/** The columns that an event has before and after its publication. */
interface EventColumns {
  type: string
  /** The path of the resource. */
  subject: string
  time: number
  /** The user whose personal data `data` holds; null without any. */
  user_id: number | null
  /** The representation of the resource in version 1 of the API, as JSON. */
  data: string
}

/** The columns of `outbox`: an event that is committed with its effect and not yet published. */
export interface OutboxTable extends EventColumns {
  id: Generated<number>
}

/** The columns of `events`: a published event; no event with a lower `sequence` is published later. */
export interface EventTable extends EventColumns {
  sequence: Generated<number>
  /** The latest `time` of this event and all before it. */
  latest_time: number
  /** The end of the day on which the personal data was erased; null if none was. */
  data_erased_at: number | null
}

/** The tables of events. */
export interface EventTables {
  outbox: OutboxTable
  events: EventTable
}
