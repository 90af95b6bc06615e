import { Type } from 'typebox'
import {
  EmailAddress,
  Id,
  mergePatch,
  nullable,
  requestBody,
  shownOnce,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { allScopes, identityScopes } from '#shop/access/oauth/scopes.ts'
import { CurrentPassword, freshHint } from '#shop/accounts/users/schema.ts'
import { rotationSchema } from '#shop/rotation-schema.ts'

/** The grant types that a client can be registered for (RFC 6749 section 1.3). */
export const grantTypes = [
  'authorization_code',
  'implicit',
  'password',
  'client_credentials',
  'refresh_token',
] as const
/** A grant type. */
export type GrantType = (typeof grantTypes)[number]

/** The response types of the authorization endpoint. */
export const responseTypes = ['code', 'token', 'id_token', 'id_token token'] as const
/** A response type. */
export type ResponseType = (typeof responseTypes)[number]

const host = '[a-z\\d]([a-z\\d.-]*[a-z\\d])?'
const loopback = '(localhost|127\\.0\\.0\\.1|\\[::1\\])'
const port = '(:[1-5]?\\d{1,4})?'
const redirectUri = Type.String({
  component: 'RedirectUri',
  minLength: 1,
  maxLength: 2_000,
  documented: {
    format: 'uri',
    pattern: `^(https://${host}|http://${loopback})${port}([/?][^\\s#\\\\*]*)?$`,
  },
})

const optionalUrl = (description: string) =>
  nullable(Type.String({ format: 'uri', maxLength: 2_000, description }))

const fields = {
  client_name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$',
    description: 'The name that the consent page shows to users.',
    examples: ['Parcel Tracker'],
  }),
  application_type: stringEnum(['web', 'native'], {
    description:
      'A native application may redirect to any port of a loopback address (RFC 8252 section 7.3).',
  }),
  redirect_uris: Type.Array(redirectUri, {
    maxItems: 20,
    description:
      'Where users may be sent after signing in, compared exactly: https, or http on a loopback address for native applications and in development.',
    examples: [['https://app.example.com/callback']],
  }),
  post_logout_redirect_uris: Type.Array(redirectUri, {
    maxItems: 20,
    description:
      'Where users may be sent after signing out (OpenID Connect RP-Initiated Logout 1.0); same rules as `redirect_uris`.',
    examples: [['https://app.example.com/signed-out']],
  }),
  grant_types: Type.Array(stringEnum(grantTypes), {
    minItems: 1,
    maxItems: grantTypes.length,
    description: 'The grant types it may use; `authorization_code` by default.',
    examples: [['authorization_code', 'refresh_token']],
  }),
  response_types: Type.Array(stringEnum(responseTypes), {
    maxItems: responseTypes.length,
    description: 'The response types it may request; by default, all that its grant types allow.',
    examples: [['code']],
  }),
  token_endpoint_auth_method: stringEnum(['client_secret_basic', 'client_secret_post', 'none'], {
    description: 'How it authenticates; `none` for a public client, which cannot keep a secret.',
  }),
  scope: Type.String({
    maxLength: 1_000,
    documented: { pattern: `^ *((${allScopes.join('|')})( +|$))*$` },
    description:
      'The scopes that it may be granted, separated by spaces; by default, those of OpenID Connect.',
    examples: ['openid profile orders:read'],
  }),
  client_uri: optionalUrl('The home page of the application.'),
  policy_uri: optionalUrl('Its privacy policy.'),
  tos_uri: optionalUrl('Its terms of service.'),
  contacts: Type.Array(EmailAddress('The address of a person.'), {
    maxItems: 10,
    description: 'The email addresses of the people responsible for it.',
    examples: [['dev@example.com']],
  }),
  user_id: nullable(
    Id(
      'The user it acts as with its own credentials: by default the user who registers it; null for none. Another user is rejected with 403.',
    ),
  ),
}

/** An application that may request tokens; fields as in RFC 7591. */
export const OauthClient = Type.Object({
  id: Id(),
  client_id: Type.String({
    description: 'The OAuth client identifier (RFC 6749 section 2.2).',
    examples: ['cwc_c3RhcnQgaGVyZSBub3c'],
  }),
  client_secret: Type.Optional(
    shownOnce(
      Type.String({
        description:
          'Only in the first response to the request that created it, never in a replay.',
      }),
    ),
  ),
  client_secret_expires_at: Type.Optional(
    Type.Integer({
      description: 'Sent with the secret: 0, because it does not expire.',
      examples: [0],
    }),
  ),
  client_id_issued_at: Type.Integer({
    description: 'When it was registered, in seconds since 1970-01-01 UTC.',
    examples: [1_767_225_600],
  }),
  ...fields,
  ...timestamps,
})

const { client_name, user_id, ...optional } = fields

/** The defaults of absent fields. */
export const clientDefaults = {
  application_type: 'web',
  redirect_uris: [],
  post_logout_redirect_uris: [],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: identityScopes.join(' '),
  contacts: [],
} as const

const withDefault = <N extends keyof typeof clientDefaults>(name: N): (typeof fields)[N] => ({
  ...fields[name],
  default: clientDefaults[name],
})

/** The fields of a client that requests set. */
export const clientSettings = {
  client_name,
  application_type: Type.Optional(withDefault('application_type')),
  redirect_uris: Type.Optional(withDefault('redirect_uris')),
  post_logout_redirect_uris: Type.Optional(withDefault('post_logout_redirect_uris')),
  grant_types: Type.Optional(withDefault('grant_types')),
  response_types: Type.Optional(nullable(optional.response_types)),
  token_endpoint_auth_method: Type.Optional(withDefault('token_endpoint_auth_method')),
  scope: Type.Optional(withDefault('scope')),
  client_uri: Type.Optional(optional.client_uri),
  policy_uri: Type.Optional(optional.policy_uri),
  tos_uri: Type.Optional(optional.tos_uri),
  contacts: Type.Optional(withDefault('contacts')),
  user_id: Type.Optional(user_id),
}

/** The body of POST and PUT. */
export const OauthClientBody = requestBody(
  { ...clientSettings, current_password: CurrentPassword(freshHint) },
  OauthClient,
)
export type OauthClientBody = ValueOf<typeof OauthClientBody>

/** The body of PATCH. */
export const OauthClientPatch = mergePatch(OauthClientBody)
export type OauthClientPatch = ValueOf<typeof OauthClientPatch>

/** The body of a secret rotation. */
export const SecretRotation = rotationSchema('secret', {
  current_password: CurrentPassword(freshHint),
})

/** The filters of the list of clients. */
export const OauthClientFilters = Type.Object({
  client_id: Type.Optional(Type.String({ description: 'Only the client with this client_id.' })),
  client_name: Type.Optional(Type.String({ description: 'Only clients with exactly this name.' })),
})
export type OauthClientFilters = ValueOf<typeof OauthClientFilters>
