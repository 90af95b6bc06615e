import type { Context } from 'oidc-provider'
import type { Db } from '#store/database.ts'
import { toIdentifier } from '#values/identifier.ts'
import { loopbackHosts } from './loopback.ts'
import { splitGrantableScopes } from './scopes.ts'
import { findActiveUser } from './store.ts'

/** The client ID of the console, which no registered client can have. */
export const consoleClientId = 'cartwright-console'

/**
 * The scopes of the console: what a shopkeeper does. It makes no credentials, fills no carts and
 * pays for nobody.
 */
export const consoleScopes = [
  'openid',
  'users:read',
  'users:write',
  'products:write',
  'orders:read',
  'orders:write',
  'reviews:write',
  'purchases:read',
  'events:read',
  'webhooks:write',
  'refunds:write',
  'returns:write',
  'settings:write',
  'imports:write',
  'files:write',
] as const

// The authorization and logout endpoints return there.
const callbackPath = '/console/callback'

/**
 * The registration of the console: a public client without refresh tokens, whose codes are sent to
 * this server only; on a loopback address, under any of its names.
 */
export function consoleClient(issuer: string): object {
  const { protocol, hostname, port } = new URL(issuer)
  const hosts = loopbackHosts.has(hostname) ? [...loopbackHosts] : [hostname]
  const origins = hosts.map((host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`)
  return {
    client_id: consoleClientId,
    client_name: 'Console',
    application_type: 'web',
    native: false,
    redirect_uris: origins.map((origin) => origin + callbackPath),
    post_logout_redirect_uris: origins.map((origin) => origin + callbackPath),
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: consoleScopes.join(' '),
  }
}

/**
 * Returns the grant of an authorization request. The console is a part of this server, so its user is
 * not asked: each sign-in grants it what the role of the user allows.
 */
export const loadGrant = (db: Db, issuer: string) => async (ctx: Context) => {
  const { client, session, result, provider } = ctx.oidc
  if (client === undefined || session === undefined) return undefined
  const { accountId = '' } = session
  const grantId = result?.consent?.grantId ?? session.grantIdFor(client.clientId)
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  if (existing !== undefined || client.clientId !== consoleClientId) return existing
  const user = await findActiveUser(db, toIdentifier(accountId) ?? 0)
  if (!user) return undefined
  const { granted, rejected } = splitGrantableScopes(consoleScopes, user.role)
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(granted.join(' '))
  grant.addResourceScope(issuer, granted.join(' '))
  if (rejected.length > 0) {
    grant.rejectOIDCScope(rejected.join(' '))
    grant.rejectResourceScope(issuer, rejected.join(' '))
  }
  await grant.save()
  return grant
}
