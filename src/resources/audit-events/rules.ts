interface RecordedEvent {
  readonly actor_id: number | null
  readonly subject_id: number | null
  readonly address: string | null
  readonly request_id: string | null
  readonly details: string | null
  readonly at: number
}

/** An event as it is told, but for when it last changed. */
export const presentEvent = <E extends RecordedEvent>(event: E) => ({
  ...event,
  details: event.details === null ? null : (JSON.parse(event.details) as unknown),
  created_at: event.at,
})

/**
 * An event as a user is told it who did it or whom it concerns: who else did something, and from
 * where, is for that one to know; and so is what became of somebody else.
 */
export function presentTo<E extends RecordedEvent>(userId: number, event: E) {
  const told = presentEvent(event)
  const byOther = event.actor_id !== null && event.actor_id !== userId
  const ofOther = event.subject_id !== null && event.subject_id !== userId
  return {
    ...told,
    ...(byOther ? { actor_id: null, address: null, request_id: null } : {}),
    ...(ofOther ? { subject_id: null, details: null } : {}),
  }
}
