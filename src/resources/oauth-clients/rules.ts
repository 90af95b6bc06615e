import { type Authority, type Scope, scopes } from '#http/declare/caller.ts'
import { createMessage } from '#i18n/message.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import {
  clientDefaults,
  type GrantType,
  identityScopes,
  type OauthClientBody,
  type OauthClientPatch,
  type ResponseType,
} from './schema.ts'

/** The changeable state of a client. */
export interface OauthClientState {
  readonly client_name: string
  readonly application_type: 'web' | 'native'
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
  readonly grant_types: readonly GrantType[]
  readonly response_types: readonly ResponseType[]
  readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none'
  readonly scope: string
  readonly client_uri: string | null
  readonly policy_uri: string | null
  readonly tos_uri: string | null
  readonly contacts: readonly string[]
  readonly user_id: number | null
}

const knownScopes = new Set<string>([...identityScopes, ...scopes])

const responsesOf = (grants: readonly GrantType[]): readonly ResponseType[] => [
  ...(grants.includes('authorization_code') ? (['code'] as const) : []),
  ...(grants.includes('implicit') ? (['token', 'id_token', 'id_token token'] as const) : []),
]

/** The client that a whole body describes; `userId` is whom it acts as unless the body says so. */
export function describeClient(body: OauthClientBody, userId: number | null): OauthClientState {
  const { user_id = userId, response_types, ...rest } = { ...clientDefaults, ...body }
  const { client_uri = null, policy_uri = null, tos_uri = null } = body
  return requireSound({
    ...rest,
    response_types: response_types ?? responsesOf(rest.grant_types),
    scope: normal(rest.scope),
    client_uri,
    policy_uri,
    tos_uri,
    user_id,
  })
}

/** The client after some of its fields are changed; with its grants, its responses follow. */
export function reviseClient(client: OauthClientState, patch: OauthClientPatch): OauthClientState {
  const next = { ...client, ...patch }
  const follows = patch.response_types === null || (patch.grant_types && !patch.response_types)
  return requireSound({
    ...next,
    response_types: (follows ? null : next.response_types) ?? responsesOf(next.grant_types),
    scope: normal(next.scope),
  })
}

/** True for a client that has to prove who it is. */
export const isConfidential = ({
  token_endpoint_auth_method,
}: Pick<OauthClientState, 'token_endpoint_auth_method'>): boolean =>
  token_endpoint_auth_method !== 'none'

const normal = (scope: string): string =>
  [...new Set(scope.split(' ').filter((each) => each !== ''))].join(' ')

const needed: Readonly<Record<ResponseType, GrantType>> = {
  code: 'authorization_code',
  token: 'implicit',
  id_token: 'implicit',
  'id_token token': 'implicit',
}

/** Refuses with 422 a client that could never get a token, or get one in an unsafe way. */
function requireSound(client: OauthClientState): OauthClientState {
  const issues = [
    ...redirectIssues(client),
    ...grantIssues(client),
    ...client.scope
      .split(' ')
      .filter((scope) => scope !== '' && !knownScopes.has(scope))
      .map((scope) => ({
        field: 'scope',
        message: createMessage('client.unknown_scope', { scope }),
      })),
  ]
  if (issues.length > 0) throw fieldProblem(issues)
  return client
}

function redirectIssues(client: OauthClientState): readonly FieldIssue[] {
  const { redirect_uris, grant_types } = client
  const redirects = grant_types.includes('authorization_code') || grant_types.includes('implicit')
  if (redirects && redirect_uris.length === 0) {
    return [
      {
        field: 'redirect_uris',
        message: createMessage('client.redirect_uri_needed'),
        missing: true,
      },
    ]
  }
  return addressIssues(client, isSafeRedirect, createMessage('client.redirect_uri'))
}

/** One issue for each address of a client that does not pass. */
const addressIssues = (
  client: Pick<OauthClientState, (typeof addressFields)[number]>,
  passes: (uri: string) => boolean,
  message: FieldIssue['message'],
): readonly FieldIssue[] =>
  addressFields.flatMap((field) =>
    client[field].flatMap((uri, at) =>
      passes(uri) ? [] : [{ field: `${field}[${at}]`, message }],
    ),
  )

const addressFields = ['redirect_uris', 'post_logout_redirect_uris'] as const

/**
 * Refuses with 422 a web application that users would be sent to over http, unless this server is
 * itself served over http, as in development. Native applications listen on loopback addresses
 * (RFC 8252 7.3).
 */
export function requireSecureRedirects(client: OauthClientState, issuer: string): OauthClientState {
  if (client.application_type === 'native' || !issuer.startsWith('https:')) return client
  const isSecure = (uri: string) => new URL(uri).protocol === 'https:'
  const issues = addressIssues(client, isSecure, createMessage('client.redirect_https'))
  if (issues.length > 0) throw fieldProblem(issues)
  return client
}

function grantIssues(client: OauthClientState): readonly FieldIssue[] {
  const { grant_types, response_types } = client
  const issues = response_types
    .filter((response) => !grant_types.includes(needed[response]))
    .map((response) => ({
      field: 'response_types',
      message: createMessage('client.grant_needed', { response, grant: needed[response] }),
    }))
  for (const grant of ['authorization_code', 'implicit'] as const) {
    const isUsed = response_types.some((response) => needed[response] === grant)
    if (grant_types.includes(grant) && !isUsed) {
      issues.push({
        field: 'response_types',
        message: createMessage('client.response_needed', { grant }),
      })
    }
  }
  if (grant_types.includes('client_credentials') && !isConfidential(client)) {
    issues.push({
      field: 'token_endpoint_auth_method',
      message: createMessage('client.secret_needed'),
    })
  }
  if (grant_types.every((grant) => grant === 'refresh_token')) {
    issues.push({ field: 'grant_types', message: createMessage('client.first_grant_needed') })
  }
  return issues
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for an address that a code can be sent to without others reading it (RFC 9700 2.1). */
function isSafeRedirect(text: string): boolean {
  if (/[\s#\\*]/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}

/**
 * What a client may do by its own credentials. Whoever registers or changes one knows or replaces
 * its secret, so a client that acts as a user is for that user alone to register and change.
 */
export const authorityOf = ({
  user_id,
  scope,
}: Pick<OauthClientState, 'user_id' | 'scope'>): Authority => ({
  userId: user_id,
  scopes: scope
    .split(' ')
    .filter((each): each is Scope => (scopes as readonly string[]).includes(each)),
  expiresAt: null,
  addresses: null,
  origins: null,
})

/** A client as it is told, without its secret. */
export const presentClient = <C extends { readonly created_at: Instant }>(client: C) => ({
  ...client,
  client_id_issued_at: Math.floor(client.created_at / secondMs),
})
