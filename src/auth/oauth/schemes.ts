import type { SecurityScheme } from '#http/pipeline/guards/authentication.ts'
import { en } from '#i18n/oauth-pages/en.ts'
import { places } from './configuration.ts'
import { isWiderForAdmins, scopeSentence } from './pages/scope-description.ts'
import { everyScope } from './scopes.ts'

function describeScope(scope: string): string {
  const sentence = scopeSentence(en, scope, 'customer')
  if (!isWiderForAdmins(en, scope)) return sentence
  return `${sentence}. Granted by an administrator: ${scopeSentence(en, scope, 'admin')}`
}

/** How the API description tells of OAuth, served by this issuer. */
export function oauthSchemes(issuer: string): Readonly<Record<string, SecurityScheme>> {
  const scopes = Object.fromEntries(everyScope.map((scope) => [scope, describeScope(scope)]))
  const authorizationUrl = issuer + places.authorization
  const tokenUrl = issuer + places.token
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Tokens for applications that are registered at /oauth-clients.',
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
      description: 'Signing in with an account of the shop.',
    },
  }
}
