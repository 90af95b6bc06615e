import type { SecurityScheme } from '#http/pipeline/guards/authentication.ts'
import { en } from '#i18n/oauth-pages/en.ts'
import { endpointPaths } from './configuration.ts'
import { isWiderForAdmins, scopeDescription } from './pages/scope-description.ts'
import { everyScope } from './scopes.ts'

function describeScope(scope: string): string {
  const description = scopeDescription(en, scope, 'customer')
  if (!isWiderForAdmins(en, scope)) return description
  return `${description}. Granted by an administrator: ${scopeDescription(en, scope, 'admin')}`
}

/** The OpenAPI security schemes of OAuth 2.0 and OpenID Connect. */
export function oauthSchemes(issuer: string): Readonly<Record<string, SecurityScheme>> {
  const scopes = Object.fromEntries(everyScope.map((scope) => [scope, describeScope(scope)]))
  const authorizationUrl = issuer + endpointPaths.authorization
  const tokenUrl = issuer + endpointPaths.token
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Access tokens of clients registered at /oauth-clients.',
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes },
        implicit: { authorizationUrl, scopes },
        password: { tokenUrl, refreshUrl: tokenUrl, scopes },
      },
    },
    openIdConnect: {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
      description: 'Sign-in with an account of the shop.',
    },
  }
}
