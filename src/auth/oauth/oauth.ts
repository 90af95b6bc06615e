import { deriveKeys, type SecretKeys } from '#auth/keys.ts'
import type { KnownNetworks } from '#auth/known-networks.ts'
import type { Db } from '#db/database.ts'
import type { Actor } from '#http/declare/caller.ts'
import type { SecurityScheme } from '#http/pipeline/guards/authentication.ts'
import type { Sealer } from '#http/pipeline/idempotency/middleware.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { RawRoute } from '#http/server/raw-routes.ts'
import type { Instant } from '#values/instant.ts'
import { identifyByToken } from './access-token.ts'
import { openResponseHooks, showError } from './endpoints/response-hooks.ts'
import { oauthRoutes } from './endpoints/routes.ts'
import { openEngine } from './engine.ts'
import { openKeyRing } from './keys/key-ring.ts'
import { oauthSchemes } from './schemes.ts'

/** What OAuth is opened with. */
export interface OauthDependencies {
  readonly db: Db
  readonly secretKeys: SecretKeys
  readonly sealer: Sealer
  /** The address of this server, which is the name of the issuer. */
  readonly issuer: string
  readonly clock: () => Instant
  readonly passwords: {
    readonly matches: (password: string, hash: string | null) => Promise<boolean>
  }
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: Pick<KnownNetworks, 'note'>
  readonly isUnavailable: (error: unknown) => boolean
  readonly report: (error: unknown) => void
}

/** OAuth 2.0 and OpenID Connect: an authorization server, and what the API needs to trust it. */
export interface Oauth {
  readonly routes: readonly RawRoute[]
  /** The caller whom an access token proves; refused with 4012, 4013 or 4032. */
  readonly identify: (db: Db, token: string, now: Instant) => Promise<Actor>
  /** How the API description tells of it. */
  readonly security: Readonly<Record<string, SecurityScheme>>
  /** Makes the next signing key once the youngest is old, or now if it must. */
  readonly rotateKeys: (isForced?: boolean) => Promise<boolean>
}

/** Opens OAuth on a database; the library behind it is loaded by the first request to it. */
export function openOauth(dependencies: OauthDependencies): Oauth {
  const { secretKeys, issuer, report } = dependencies
  const keys = openKeyRing(dependencies)
  const responseHooks = openResponseHooks(dependencies)
  const cookieKeys = deriveKeys(secretKeys, 'oauth-cookie')
  const engine = openEngine({ ...dependencies, keys, cookieKeys, responseHooks, report, showError })
  const formKeys = deriveKeys(secretKeys, 'oauth-form')
  return {
    routes: oauthRoutes({ ...dependencies, keys, engine, formKeys }),
    identify: (db, token, now) => identifyByToken({ issuer, keys }, db, token, now),
    security: oauthSchemes(issuer),
    rotateKeys: keys.rotate,
  }
}
