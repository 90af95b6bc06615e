import { hash, timingSafeEqual } from 'node:crypto'
import type { Client } from 'oidc-provider'
import type { Db } from '#db/database.ts'
import type { Instant } from '#values/instant.ts'
import { responseTypesForLibrary } from './implicit.ts'
import { findClient } from './store.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

const isOfThisMachine = (uri: string): boolean => loopback.has(new URL(uri).hostname)

/**
 * Tells the library of clients, as its adapter: asked on every request, so that what an
 * administrator changes holds at once in every process.
 */
export const clientsIn = ({ db, clock }: { readonly db: Db; readonly clock: () => Instant }) => ({
  find: async (clientId: string): Promise<object | undefined> => {
    const row = await findClient(db, clientId)
    if (!row) return undefined
    const redirects: readonly string[] = JSON.parse(row.redirect_uris)
    const afterLogout: readonly string[] = JSON.parse(row.post_logout_redirect_uris)
    const grants: readonly string[] = JSON.parse(row.grant_types)
    // The library lets a web application take tokens out of addresses only where it is far away.
    const isNear =
      grants.includes('implicit') && [...redirects, ...afterLogout].some(isOfThisMachine)
    const { previous_secret_hash: previous, previous_secret_expires_at: until } = row
    const isPreviousTaken = previous !== null && until !== null && until > clock()
    return {
      client_id: row.client_id,
      client_name: row.client_name,
      ...(row.secret_hash === null ? {} : { client_secret: row.secret_hash }),
      ...(isPreviousTaken ? { previous_secret: previous } : {}),
      application_type: isNear ? 'native' : 'web',
      native: row.application_type === 'native',
      redirect_uris: redirects,
      post_logout_redirect_uris: afterLogout,
      grant_types: grants,
      response_types: responseTypesForLibrary(JSON.parse(row.response_types)),
      token_endpoint_auth_method: row.token_endpoint_auth_method,
      scope: row.scope,
      ...(row.client_uri === null ? {} : { client_uri: row.client_uri }),
      ...(row.policy_uri === null ? {} : { policy_uri: row.policy_uri }),
      ...(row.tos_uri === null ? {} : { tos_uri: row.tos_uri }),
    }
  },
})

/** How clients are compared with what is sent, in place of the library's way. */
export const comparisons = {
  /** Of secrets, only hashes are kept; one that was replaced may still be taken for a while. */
  compareClientSecret(this: Client, sent: unknown): boolean {
    const given = Buffer.from(hash('sha256', String(sent), 'base64url'))
    return [this.clientSecret, this.previous_secret].some((hashed) => {
      const kept = Buffer.from(hashed ?? '')
      return kept.length === given.length && timingSafeEqual(kept, given)
    })
  },
  redirectUriAllowed(this: Client, sent: string): boolean {
    return isRegistered(this, this.redirectUris, sent)
  },
  postLogoutRedirectUriAllowed(this: Client, sent: string): boolean {
    return isRegistered(this, this.postLogoutRedirectUris ?? [], sent)
  },
}

/** As registered; a native application may listen on any port of this machine (RFC 8252 7.3). */
function isRegistered({ native }: Client, uris: readonly string[], sent: string): boolean {
  if (uris.includes(sent)) return true
  const bare = native ? withoutPort(sent) : undefined
  return bare !== undefined && uris.some((uri) => withoutPort(uri) === bare)
}

function withoutPort(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url?.protocol !== 'http:' || !loopback.has(url.hostname) || uri.includes('@'))
    return undefined
  url.port = ''
  return url.href
}
