import type { SecurityScheme } from '#http/declare/authentication.ts'
import { en } from '#i18n/oauth-pages/en.ts'
import { endpointPaths } from './configuration.ts'
import { scopeDescription } from './pages/scope-description.ts'
import { allScopes } from './scopes.ts'

/** The OpenAPI security schemes of OAuth 2.0 and OpenID Connect. */
export function oauthSchemes(issuer: string): Readonly<Record<string, SecurityScheme>> {
  const scopes = Object.fromEntries(
    allScopes.map((scope) => [scope, scopeDescription(en, scope, 'customer')]),
  )
  // The same in every flow.
  const names = Object.fromEntries(allScopes.map((scope) => [scope, '']))
  const authorizationUrl = issuer + endpointPaths.authorization
  const tokenUrl = issuer + endpointPaths.token
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'Access tokens (JWT, RFC 9068, verified as RFC8725 says) of clients registered at /oauth-clients. What administrators grant covers all customers.',
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes: names },
        implicit: { authorizationUrl, scopes: names },
        password: { tokenUrl, refreshUrl: tokenUrl, scopes: names },
      },
    },
    openIdConnect: {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
      description: 'Sign-in with an account of the shop.',
    },
  }
}
