import type { Instant } from './instant.ts'

/** Who performed an audited action, from where and when. */
export interface AuditActor {
  /** The user's id; null when anonymous and for the server itself. */
  readonly actorId: number | null
  /**
   * The kind of credential: an authentication scheme, `password`, `refresh_token`, or `command` for
   * the command line.
   */
  readonly credential: string | null
  /** The network address of the client; null for the server itself. */
  readonly address: string | null
  readonly requestId: string | null
  readonly at: Instant
}

/** The server itself as the actor, outside of requests. */
export const serverActor = (at: Instant): AuditActor => ({
  actorId: null,
  credential: null,
  address: null,
  requestId: null,
  at,
})
