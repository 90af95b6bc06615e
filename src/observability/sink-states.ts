import { readSinkStates, type SinkState } from '#shop/events/sinks/sink-store.ts'
import type { Db } from '#store/database.ts'
import { type Instant, toIsoText } from '#values/instant.ts'

/** Returns the states of message brokers as administrators read them. */
export async function describeSinks(db: Db, names: readonly string[]): Promise<readonly object[]> {
  if (names.length === 0) return []
  const states = new Map((await readSinkStates(db, names)).map((state) => [state.name, state]))
  return names.map((name) => {
    const state = states.get(name)
    return state ? describe(state) : { name, status: 'starting' }
  })
}

const describe = (state: SinkState): object => ({
  name: state.name,
  status: state.failing_since === null ? 'working' : 'failing',
  position: state.position,
  unsent_events: state.newest - state.position,
  oldest_unsent_at: timeOf(state.oldest_unsent_at),
  lost_events: state.lost,
  failing_since: timeOf(state.failing_since),
  failed_attempts: state.attempts,
  error: state.error,
})

const timeOf = (instant: Instant | null): string | null =>
  instant === null ? null : toIsoText(instant)
