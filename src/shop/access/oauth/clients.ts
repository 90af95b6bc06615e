import { timingSafeEqual } from 'node:crypto'
import type { Client } from 'oidc-provider'
import { hashSecret } from '#src/secrets/secrets.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { consoleClient, consoleClientId } from './console-client.ts'
import { providerResponseTypes } from './implicit.ts'
import { loopbackHosts } from './loopback.ts'
import { findClient } from './store.ts'

const isLoopback = (uri: string): boolean => loopbackHosts.has(new URL(uri).hostname)

interface ClientOptions {
  readonly db: Db
  readonly clock: () => Instant
  readonly issuer: string
  /** Whether the console is a client. */
  readonly hasConsole: boolean
}

/**
 * The oidc-provider adapter of clients. Every request reads the registration from the database, so
 * that a change applies at once in every process.
 */
export const clientAdapter = ({ db, clock, issuer, hasConsole }: ClientOptions) => ({
  find: async (clientId: string): Promise<object | undefined> => {
    if (clientId === consoleClientId) return hasConsole ? consoleClient(issuer) : undefined
    const row = await findClient(db, clientId)
    if (!row) return undefined
    const { redirect_uris, post_logout_redirect_uris, grant_types } = row
    // oidc-provider rejects loopback URIs to web clients that use the implicit grant.
    const isLoopbackImplicit =
      grant_types.includes('implicit') &&
      [...redirect_uris, ...post_logout_redirect_uris].some(isLoopback)
    const { previous_secret_hash: previous, previous_secret_expires_at: expiresAt } = row
    const isPreviousValid = previous !== null && expiresAt !== null && expiresAt > clock()
    return {
      client_id: row.client_id,
      client_name: row.client_name,
      ...(row.secret_hash === null ? {} : { client_secret: row.secret_hash }),
      ...(isPreviousValid ? { previous_secret: previous } : {}),
      application_type: isLoopbackImplicit ? 'native' : 'web',
      native: row.application_type === 'native',
      redirect_uris,
      post_logout_redirect_uris,
      grant_types,
      response_types: providerResponseTypes(row.response_types),
      token_endpoint_auth_method: row.token_endpoint_auth_method,
      scope: row.scope,
      ...(row.client_uri === null ? {} : { client_uri: row.client_uri }),
      ...(row.policy_uri === null ? {} : { policy_uri: row.policy_uri }),
      ...(row.tos_uri === null ? {} : { tos_uri: row.tos_uri }),
    }
  },
})

/** The methods that replace those of oidc-provider's Client. */
export const clientMethods = {
  /** Only hashes of secrets are stored; a replaced secret is accepted until its grace period ends. */
  compareClientSecret(this: Client, secret: unknown): boolean {
    const actual = Buffer.from(hashSecret(String(secret)))
    return [this.clientSecret, this.previous_secret].some((secretHash) => {
      const expected = Buffer.from(secretHash ?? '')
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    })
  },
  redirectUriAllowed(this: Client, uri: string): boolean {
    return isRegistered(this, this.redirectUris, uri)
  },
  postLogoutRedirectUriAllowed(this: Client, uri: string): boolean {
    return isRegistered(this, this.postLogoutRedirectUris ?? [], uri)
  },
}

/** Exact match, but a native application may use any port of a loopback host (RFC 8252 7.3). */
function isRegistered({ native }: Client, registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true
  const portless = native ? withoutPort(uri) : undefined
  return portless !== undefined && registered.some((each) => withoutPort(each) === portless)
}

function withoutPort(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url?.protocol !== 'http:' || !loopbackHosts.has(url.hostname) || uri.includes('@'))
    return undefined
  url.port = ''
  return url.href
}
