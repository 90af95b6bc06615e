import type { Context, Provider } from 'oidc-provider'

// The library issues an access token for `id_token token`, but its configuration refuses `token`
// alone (RFC 6749 4.2). So a request for that is given to it as one for `none`, which passes the
// same checks, sign-in and consent, and gets its own name back once it has been accepted.
const [requested, substitute] = ['token', 'none']

/** The response types of this server or of a client, as the library knows them. */
export const responseTypesForLibrary = (types: readonly string[]): readonly string[] =>
  types.map((type) => (type === requested ? substitute : type))

/** The parameters of an authorization request, as the library takes them. */
export function authorizationForLibrary(parameters: URLSearchParams): URLSearchParams {
  const given = new URLSearchParams(parameters)
  const types = new Set(given.get('response_type')?.split(' '))
  if (types.size !== 1 || given.getAll('response_type').length > 1) return given
  // This server has no such type; the library refuses an unknown one.
  if (types.has(substitute)) given.set('response_type', 'unsupported')
  // The library refuses to send a token in a query, but would send nothing there.
  if (types.has(requested) && given.get('response_mode') !== 'query') {
    given.set('response_type', substitute)
    if (!given.get('response_mode')) given.set('response_mode', 'fragment')
  }
  return given
}

/** Has the library answer accepted requests for an access token alone with one. */
export function issueTokensAlone(provider: Provider): void {
  provider.on('authorization.accepted', ({ oidc }: Context) => {
    if (oidc.params?.['response_type'] === substitute) oidc.params['response_type'] = requested
  })
}

/** Names the response types of the discovery document as clients know them. */
export function nameResponseTypes(ctx: Context): void {
  if (ctx.oidc.route !== 'discovery') return
  const document = ctx.body as { readonly response_types_supported: readonly string[] }
  const names = document.response_types_supported.map((type) =>
    type === substitute ? requested : type,
  )
  ctx.body = { ...document, response_types_supported: names }
}
