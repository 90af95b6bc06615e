import type { Actor } from '#http/declare/actor.ts'
import type { SecurityScheme } from '#http/declare/authentication.ts'
import type { RawRoute } from '#http/server/raw-routes.ts'
import { deriveKeys, type SecretKeys } from '#src/secrets/keys.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { identifyByToken } from './access-token.ts'
import { oauthRoutes } from './endpoints/routes.ts'
import { createEngineLoader, type EngineParts } from './engine.ts'
import { createKeyRing } from './keys/key-ring.ts'
import { oauthSchemes } from './schemes.ts'

/** What the OAuth server depends on; `issuer` is the public address of this server. */
export interface OauthParts extends Omit<EngineParts, 'keys' | 'cookieKeys'> {
  readonly secretKeys: SecretKeys
}

/** An OAuth 2.0 and OpenID Connect server, and the verification of its access tokens. */
export interface Oauth {
  readonly routes: readonly RawRoute[]
  /** The caller that an access token authenticates. Throws 401/4012, 401/4013 or 403/4032. */
  readonly identify: (db: Db, token: string, now: Instant) => Promise<Actor>
  /** The OpenAPI security schemes. */
  readonly security: Readonly<Record<string, SecurityScheme>>
  /** Creates the next signing key when one is due, or at once when forced; true if it did. */
  readonly rotateKeys: (isForced?: boolean) => Promise<boolean>
}

/** Creates the OAuth server on a database; oidc-provider is loaded by the first request to it. */
export function createOauth(parts: OauthParts): Oauth {
  const { secretKeys, issuer, hasConsole } = parts
  const keys = createKeyRing(parts)
  const cookieKeys = deriveKeys(secretKeys, 'oauth-cookie')
  const formKeys = deriveKeys(secretKeys, 'oauth-form')
  const engine = createEngineLoader({ ...parts, keys, cookieKeys })
  return {
    routes: oauthRoutes({ ...parts, keys, engine, formKeys }),
    identify: (db, token, now) => identifyByToken({ issuer, keys, hasConsole }, db, token, now),
    security: oauthSchemes(issuer),
    rotateKeys: keys.rotate,
  }
}
