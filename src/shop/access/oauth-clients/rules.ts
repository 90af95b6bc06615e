import type { Authority } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { loopbackHosts } from '#shop/access/oauth/loopback.ts'
import { allScopes } from '#shop/access/oauth/scopes.ts'
import type { NewAuditEvent } from '#shop/audit/record.ts'
import { type Scope, scopes } from '#shop/scopes.ts'
import type { AuditAction } from '#values/audit.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import {
  clientDefaults,
  clientSettings,
  type GrantType,
  type OauthClientBody,
  type OauthClientPatch,
  type ResponseType,
} from './schema.ts'
import type { OauthClientRow } from './table.ts'

/** The mutable state of a client. */
export type OauthClientState = Pick<OauthClientRow, keyof typeof clientSettings>

const stateOf = (client: OauthClientState): OauthClientState => {
  const names = Object.keys(clientSettings) as (keyof OauthClientState)[]
  return Object.fromEntries(
    names.map((name) => [name, client[name]]),
  ) as unknown as OauthClientState
}

const defaultResponseTypes = (grants: readonly GrantType[]): readonly ResponseType[] => [
  ...(grants.includes('authorization_code') ? (['code'] as const) : []),
  ...(grants.includes('implicit') ? (['token', 'id_token', 'id_token token'] as const) : []),
]

/** Returns the state of a new client. Throws 400/4001 or 422/4221 when it is invalid. */
export function createClientState(
  { current_password: _, ...body }: OauthClientBody,
  defaultUserId: number | null,
): OauthClientState {
  const { user_id = defaultUserId, response_types, ...rest } = { ...clientDefaults, ...body }
  const { client_uri = null, policy_uri = null, tos_uri = null } = body
  return requireValidClient({
    ...rest,
    response_types: response_types ?? defaultResponseTypes(rest.grant_types),
    scope: normalizeScope(rest.scope),
    client_uri,
    policy_uri,
    tos_uri,
    user_id,
  })
}

/**
 * Returns the client after PATCH; new grant types without response types reset the response types
 * to their default. Throws 400/4001 or 422/4221 when the result is invalid.
 */
export function patchClientState(
  client: OauthClientState,
  { current_password: _, ...patch }: OauthClientPatch,
): OauthClientState {
  const next = { ...stateOf(client), ...patch }
  const resetsResponseTypes =
    patch.response_types === null || (patch.grant_types && !patch.response_types)
  return requireValidClient({
    ...next,
    response_types:
      (resetsResponseTypes ? null : next.response_types) ?? defaultResponseTypes(next.grant_types),
    scope: normalizeScope(next.scope),
  })
}

/** Returns true for a change by which a client, or whoever controls its addresses, may do more. */
export function isWider(before: OauthClientState, after: OauthClientState): boolean {
  const known = allowancesOf(before)
  const adds = (list: readonly string[], index: number) =>
    list.some((entry) => !known[index]?.includes(entry))
  return (
    allowancesOf(after).some(adds) ||
    before.application_type !== after.application_type ||
    before.token_endpoint_auth_method !== after.token_endpoint_auth_method ||
    before.user_id !== after.user_id
  )
}

/** The lists of which each further entry lets a client do more. */
const allowancesOf = (client: OauthClientState): readonly (readonly string[])[] => [
  client.redirect_uris,
  client.post_logout_redirect_uris,
  client.grant_types,
  client.response_types,
  client.scope.split(' '),
]

/** Returns true for a confidential client, which authenticates itself (RFC 6749 section 2.1). */
export const isConfidentialClient = ({
  token_endpoint_auth_method,
}: Pick<OauthClientState, 'token_endpoint_auth_method'>): boolean =>
  token_endpoint_auth_method !== 'none'

const normalizeScope = (scope: string): string =>
  [...new Set(scope.split(' ').filter((each) => each !== ''))].join(' ')

const requiredGrant: Readonly<Record<ResponseType, GrantType>> = {
  code: 'authorization_code',
  token: 'implicit',
  id_token: 'implicit',
  'id_token token': 'implicit',
}

/** Throws 400/4001 or 422/4221 for a client that could never get a token, or not safely. */
function requireValidClient(client: OauthClientState): OauthClientState {
  const issues = [
    ...redirectIssues(client),
    ...grantIssues(client),
    ...client.scope
      .split(' ')
      .filter((scope) => scope !== '' && !allScopes.includes(scope))
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
  const usesRedirects =
    grant_types.includes('authorization_code') || grant_types.includes('implicit')
  if (usesRedirects && redirect_uris.length === 0) {
    return [
      {
        field: 'redirect_uris',
        message: createMessage('client.redirect_uri_needed'),
        missing: true,
      },
    ]
  }
  return uriIssues(client, isSafeRedirect, createMessage('client.redirect_uri'))
}

/** Returns an issue for each redirect URI of a client that `isValid` rejects. */
const uriIssues = (
  client: Pick<OauthClientState, (typeof uriFields)[number]>,
  isValid: (uri: string) => boolean,
  message: FieldIssue['message'],
): readonly FieldIssue[] =>
  uriFields.flatMap((field) =>
    client[field].flatMap((uri, index) =>
      isValid(uri) ? [] : [{ field: `${field}[${index}]`, message }],
    ),
  )

const uriFields = ['redirect_uris', 'post_logout_redirect_uris'] as const

/**
 * Returns the client. Throws 422/4221 for a web application with an http redirect URI, unless the
 * issuer itself uses http, as in development. Native applications may redirect to loopback
 * addresses (RFC 8252 section 7.3).
 */
export function requireSecureRedirects(client: OauthClientState, issuer: string): OauthClientState {
  if (client.application_type === 'native' || !issuer.startsWith('https:')) return client
  const isSecure = (uri: string) => new URL(uri).protocol === 'https:'
  const issues = uriIssues(client, isSecure, createMessage('client.redirect_https'))
  if (issues.length > 0) throw fieldProblem(issues)
  return client
}

function grantIssues(client: OauthClientState): readonly FieldIssue[] {
  const { grant_types, response_types } = client
  const issues = response_types
    .filter((response) => !grant_types.includes(requiredGrant[response]))
    .map((response) => ({
      field: 'response_types',
      message: createMessage('client.grant_needed', {
        response,
        grant: requiredGrant[response],
      }),
    }))
  for (const grant of ['authorization_code', 'implicit'] as const) {
    const isUsed = response_types.some((response) => requiredGrant[response] === grant)
    if (grant_types.includes(grant) && !isUsed) {
      issues.push({
        field: 'response_types',
        message: createMessage('client.response_needed', { grant }),
      })
    }
  }
  if (grant_types.includes('client_credentials') && !isConfidentialClient(client)) {
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

/** True for an https or loopback URI without credentials or fragment (RFC 9700 section 2.1). */
function isSafeRedirect(text: string): boolean {
  if (/[\s#\\*]/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname))
}

/**
 * Returns the authority of a client with its own credentials. Registering or changing a client
 * gives access to its secret, so only the user it acts as may do either.
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

/** Returns the public fields of a client, without its secret. */
export const presentClient = <C extends { readonly created_at: Instant }>(client: C) => ({
  ...client,
  client_id_issued_at: Math.floor(client.created_at / secondMs),
})

/** What is done to a client. */
export type ClientAction = Extract<AuditAction, `oauth_client_${string}`>

/** Returns the audit event about a client. */
export const clientEvent = (
  action: ClientAction,
  { id, client_id, user_id, scope }: OauthClientRow,
): NewAuditEvent => ({
  action,
  subjectId: user_id,
  details: { oauth_client: id, client_id, scope },
})
