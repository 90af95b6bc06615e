import type { Generated } from 'kysely'

/**
 * The columns of `oauth_clients`: an application that may request tokens. Lists are JSON; `user_id` is the
 * user it acts as in the client credentials grant; secrets are stored as hashes.
 */
export interface OauthClientTable {
  id: Generated<number>
  client_id: string
  secret_hash: string | null
  previous_secret_hash: string | null
  previous_secret_expires_at: number | null
  client_name: string
  application_type: 'web' | 'native'
  redirect_uris: string
  post_logout_redirect_uris: string
  grant_types: string
  response_types: string
  token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none'
  scope: string
  client_uri: string | null
  policy_uri: string | null
  tos_uri: string | null
  contacts: string
  user_id: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/**
 * The columns of `oauth_artefacts`: a session, code, token or grant of OAuth. Identifiers are secrets and
 * stored as hashes; the payload is encrypted. `granted_scope` is the scope of a grant. The table
 * keeps its first name, because releases serve the same database side by side.
 */
export interface OauthPayloadTable {
  kind: string
  id_hash: string
  payload: string
  grant_hash: string | null
  uid_hash: string | null
  client_id: string | null
  user_id: number | null
  consumed_at: number | null
  expires_at: number
  granted_scope: string | null
}

/**
 * The columns of `oauth_consents`: a user's consent to a client. It lasts as long as one of their grants;
 * `updated_at` is when it was last given or withdrawn.
 */
export interface OauthConsentTable {
  id: Generated<number>
  user_id: number
  client_id: string
  expires_at: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** The columns of `oauth_keys`: an encrypted key that signs tokens from `signs_from` on. */
export interface OauthKeyTable {
  number: number
  kid: string
  sealed: string
  signs_from: number
  created_at: number
}
