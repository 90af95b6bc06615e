import type { Payload } from 'oidc-provider'
import type { Library } from '#shop/access/oauth/library.ts'
import { type AdapterOptions, payloadAdapter } from './adapter.ts'

/** The parameter by which an authorization request without `redirect_uri` is remembered. */
export const omittedRedirectUri = 'omitted_redirect_uri'

/** Notes in an authorization request whether it has a `redirect_uri`; replaces what the client sent. */
export function markOmittedRedirectUri(parameters: URLSearchParams): void {
  if (parameters.get('redirect_uri')) parameters.delete(omittedRedirectUri)
  else parameters.set(omittedRedirectUri, 'true')
}

/**
 * The oidc-provider adapter of authorization codes. A client with one registered address may leave out
 * `redirect_uri`; a code whose request had it is redeemed only with it (RFC 6749 4.1.3), which
 * oidc-provider does not check for such clients.
 */
export function codeAdapter({ Provider, errors }: Library, options: AdapterOptions) {
  const codes = payloadAdapter('AuthorizationCode', options)
  return {
    ...codes,
    upsert: (id: string, payload: Payload, expiresInSeconds: number): Promise<void> => {
      const isOmitted = Provider.ctx?.oidc.params?.[omittedRedirectUri] !== undefined
      return codes.upsert(id, { ...payload, [omittedRedirectUri]: isOmitted }, expiresInSeconds)
    },
    find: async (id: string): Promise<Payload | undefined> => {
      const code = await codes.find(id)
      const isSent = Boolean(Provider.ctx?.oidc.body?.['redirect_uri'])
      if (code?.[omittedRedirectUri] === false && !isSent) {
        throw new errors.InvalidRequest("missing required parameter(s) 'redirect_uri'")
      }
      return code
    },
  }
}
