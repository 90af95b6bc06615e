/** The actions that audit events record. */
export const auditActions = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'refresh_token_reused',
  'administrator_created',
  'username_changed',
  'password_changed',
  'role_changed',
  'status_changed',
  'erasure_scheduled',
  'erasure_withdrawn',
  'user_erased',
  'data_exported',
  'api_key_created',
  'api_key_rotated',
  'api_key_revoked',
  'oauth_client_created',
  'oauth_client_changed',
  'oauth_client_rotated',
  'oauth_client_removed',
  'oauth_consent_given',
  'oauth_consent_withdrawn',
] as const

/** An action that an audit event records. */
export type AuditAction = (typeof auditActions)[number]
