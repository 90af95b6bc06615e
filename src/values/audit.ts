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

/** The actions that audit events record. */
export const auditActions = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'refresh_token_reused',
  'guest_merged',
  'administrator_created',
  'username_changed',
  'email_changed',
  'password_changed',
  'role_changed',
  'status_changed',
  'erasure_scheduled',
  'erasure_withdrawn',
  'user_erased',
  'data_exported',
  'api_key_created',
  'api_key_changed',
  'api_key_rotated',
  'api_key_revoked',
  'oauth_client_created',
  'oauth_client_changed',
  'oauth_client_rotated',
  'oauth_client_removed',
  'oauth_consent_given',
  'oauth_consent_withdrawn',
  'webhook_created',
  'webhook_changed',
  'webhook_rotated',
  'webhook_removed',
] as const

/** An action that an audit event records. */
export type AuditAction = (typeof auditActions)[number]
