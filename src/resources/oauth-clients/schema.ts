import { Type } from 'typebox'
import {
  Id,
  nullable,
  oneOf,
  patchOf,
  shownOnce,
  stamps,
  type ValueOf,
  writable,
} from '#http/declare/schema.ts'
import { rotationOf } from '#resources/api-keys/schema.ts'

/** The ways to a token that a client can be registered for (RFC 6749 1.3). */
export const grantTypes = [
  'authorization_code',
  'implicit',
  'password',
  'client_credentials',
  'refresh_token',
] as const
/** One of them. */
export type GrantType = (typeof grantTypes)[number]

/** What a client can ask the authorization endpoint for. */
export const responseTypes = ['code', 'token', 'id_token', 'id_token token'] as const
/** One of them. */
export type ResponseType = (typeof responseTypes)[number]

const webAddress = (description: string) =>
  nullable(Type.String({ format: 'uri', maxLength: 2_000, description }))

const fields = {
  client_name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^\\P{Cc}+$',
    description: 'What the application is called where its users are asked for consent.',
    examples: ['Parcel Tracker'],
  }),
  application_type: oneOf(['web', 'native'], {
    description: 'A native one may come back to any port of a loopback address (RFC 8252 7.3).',
  }),
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), {
    maxItems: 20,
    description:
      'Where users are sent back to, compared as they are: https, or http on a loopback address for native applications and in development.',
    examples: [['https://app.example.com/callback']],
  }),
  post_logout_redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), {
    maxItems: 20,
    description:
      'Where users may be sent after signing out (OpenID Connect RP-Initiated Logout 1.0); as `redirect_uris`.',
    examples: [['https://app.example.com/signed-out']],
  }),
  grant_types: Type.Array(oneOf(grantTypes), {
    minItems: 1,
    maxItems: grantTypes.length,
    description: 'The ways to a token that it may use; `authorization_code` by default.',
    examples: [['authorization_code', 'refresh_token']],
  }),
  response_types: Type.Array(oneOf(responseTypes), {
    maxItems: responseTypes.length,
    description:
      'What it may ask the authorization endpoint for; what its grants allow by default.',
    examples: [['code']],
  }),
  token_endpoint_auth_method: oneOf(['client_secret_basic', 'client_secret_post', 'none'], {
    description: 'How it proves who it is; `none` for one that cannot keep a secret.',
  }),
  scope: Type.String({
    maxLength: 1_000,
    description:
      'The scopes that it may be granted, separated by spaces; by default only those of signing in.',
    examples: ['openid profile orders:read'],
  }),
  client_uri: webAddress('The home page of the application.'),
  policy_uri: webAddress('Its privacy policy.'),
  tos_uri: webAddress('Its terms of service.'),
  contacts: Type.Array(Type.String({ format: 'email', maxLength: 320 }), {
    maxItems: 10,
    description: 'Who is responsible for it.',
    examples: [['dev@example.com']],
  }),
  user_id: nullable(
    Id(
      'The user it acts as by its own credentials: whoever registers it, by default, or null for nobody. Another user is refused with 403.',
    ),
  ),
}

/** An application that may ask for tokens; fields as in RFC 7591. */
export const OauthClient = Type.Object({
  id: Id('Identifies the registration.'),
  client_id: Type.String({
    description: 'By which the application calls itself.',
    examples: ['cwc_c3RhcnQgaGVyZSBub3c'],
  }),
  client_secret: Type.Optional(
    shownOnce(
      Type.String({
        description: 'Only in the first answer to the request that made it, never in a replay.',
      }),
    ),
  ),
  client_secret_expires_at: Type.Optional(
    Type.Integer({ description: 'Beside the secret: 0, for it does not expire.', examples: [0] }),
  ),
  client_id_issued_at: Type.Integer({
    description: 'When it was registered, in seconds since 1970.',
    examples: [1_767_225_600],
  }),
  ...fields,
  ...stamps,
})

const { client_name, user_id, ...optional } = fields

/** The scopes of signing in with OpenID Connect, beside those of acts. */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access']
/** What a registration has that does not say. */
export const clientDefaults = {
  application_type: 'web',
  redirect_uris: [],
  post_logout_redirect_uris: [],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: identityScopes.join(' '),
  contacts: [],
} as const

const optionally = <N extends keyof typeof clientDefaults>(name: N): (typeof fields)[N] => ({
  ...fields[name],
  default: clientDefaults[name],
})

/** A whole registration, as POST and PUT take it. */
export const OauthClientBody = writable(
  {
    client_name,
    application_type: Type.Optional(optionally('application_type')),
    redirect_uris: Type.Optional(optionally('redirect_uris')),
    post_logout_redirect_uris: Type.Optional(optionally('post_logout_redirect_uris')),
    grant_types: Type.Optional(optionally('grant_types')),
    response_types: Type.Optional(nullable(optional.response_types)),
    token_endpoint_auth_method: Type.Optional(optionally('token_endpoint_auth_method')),
    scope: Type.Optional(optionally('scope')),
    client_uri: Type.Optional(optional.client_uri),
    policy_uri: Type.Optional(optional.policy_uri),
    tos_uri: Type.Optional(optional.tos_uri),
    contacts: Type.Optional(optionally('contacts')),
    user_id: Type.Optional(user_id),
  },
  OauthClient,
)
export type OauthClientBody = ValueOf<typeof OauthClientBody>

/** Some fields of a registration, as PATCH takes them. */
export const OauthClientPatch = patchOf(OauthClientBody)
export type OauthClientPatch = ValueOf<typeof OauthClientPatch>

/** How the secret of a client is replaced by another. */
export const SecretRotation = rotationOf('secret')

/** What registrations can be filtered by. */
export const OauthClientFilters = Type.Object({
  client_id: Type.Optional(Type.String({ description: 'Only the client that calls itself so.' })),
  client_name: Type.Optional(Type.String({ description: 'Only clients of exactly this name.' })),
})
export type OauthClientFilters = ValueOf<typeof OauthClientFilters>
