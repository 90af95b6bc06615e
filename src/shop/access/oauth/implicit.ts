import type { Context, Provider } from 'oidc-provider'

// oidc-provider issues an access token for `id_token token`, but its configuration has no `token`
// alone (RFC 6749 4.2). A request for `token` is therefore passed to it as `none`, which takes the
// same checks, sign-in and consent, and becomes `token` again once it is accepted.
const [requested, substitute] = ['token', 'none']

/** Maps the response types of this server or of a client to those of oidc-provider. */
export const providerResponseTypes = (types: readonly string[]): readonly string[] =>
  types.map((type) => (type === requested ? substitute : type))

/** Maps the parameters of an authorization request to those of oidc-provider. */
export function providerAuthorization(parameters: URLSearchParams): URLSearchParams {
  const mapped = new URLSearchParams(parameters)
  const types = new Set(mapped.get('response_type')?.split(' '))
  if (types.size !== 1 || mapped.getAll('response_type').length > 1) return mapped
  // This server has no `none`; oidc-provider rejects an unknown type.
  if (types.has(substitute)) mapped.set('response_type', 'unsupported')
  // oidc-provider rejects a token in the query, but would send `none` there.
  if (types.has(requested) && mapped.get('response_mode') !== 'query') {
    mapped.set('response_type', substitute)
    if (!mapped.get('response_mode')) mapped.set('response_mode', 'fragment')
  }
  return mapped
}

/** Makes oidc-provider issue an access token for accepted requests of `token`. */
export function enableTokenResponseType(provider: Provider): void {
  provider.on('authorization.accepted', ({ oidc }: Context) => {
    if (oidc.params?.['response_type'] === substitute) oidc.params['response_type'] = requested
  })
}

/** Restores the response types in the discovery document. */
export function restoreResponseTypes(ctx: Context): void {
  if (ctx.oidc.route !== 'discovery') return
  const document = ctx.body as { readonly response_types_supported: readonly string[] }
  const types = document.response_types_supported.map((type) =>
    type === substitute ? requested : type,
  )
  ctx.body = { ...document, response_types_supported: types }
}
