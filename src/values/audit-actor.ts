import type { Instant } from './instant.ts'

/** By whom something was done, from where and when: what is written down beside what was done. */
export interface AuditActor {
  /** The user who did it; null for nobody known, and for the server itself. */
  readonly actorId: number | null
  /**
   * What they proved themselves with: the scheme of it, or `password` and `refresh_token`; `command`
   * for who runs a command beside the server.
   */
  readonly credential: string | null
  /** The network address it came from; null for the server itself. */
  readonly address: string | null
  readonly requestId: string | null
  readonly at: Instant
}

/** The server itself, at work beside the requests. */
export const serverAt = (at: Instant): AuditActor => ({
  actorId: null,
  credential: null,
  address: null,
  requestId: null,
  at,
})
