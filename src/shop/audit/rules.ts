interface RecordedEvent {
  readonly actor_id: number | null
  readonly subject_id: number | null
  readonly address: string | null
  readonly request_id: string | null
  readonly details: string | null
  readonly at: number
}

/** Returns the public fields of an event, without `updated_at`. */
export const presentAuditEvent = <E extends RecordedEvent>(event: E) => ({
  ...event,
  details: event.details === null ? null : (JSON.parse(event.details) as unknown),
  created_at: event.at,
})

/**
 * Returns the public fields of an event for its actor or subject, without the personal data of the
 * other user.
 */
export function presentAuditEventTo<E extends RecordedEvent>(userId: number, event: E) {
  const isByOther = event.actor_id !== null && event.actor_id !== userId
  const isAboutOther = event.subject_id !== null && event.subject_id !== userId
  return {
    ...presentAuditEvent(event),
    ...(isByOther ? { actor_id: null, address: null, request_id: null } : {}),
    ...(isAboutOther ? { subject_id: null, details: null } : {}),
  }
}
