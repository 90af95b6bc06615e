import type { Authentication } from '#http/pipeline/guards/authentication.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { KeyUses } from './api-keys/last-used.ts'
import { apiKey } from './api-keys/mechanism.ts'
import { authenticationBy } from './authentication.ts'
import { basic } from './basic.ts'
import { type DigestDependencies, digest } from './digest/mechanism.ts'
import type { KnownNetworks } from './known-networks.ts'
import type { Oauth } from './oauth/oauth.ts'
import type { PasswordCheckDependencies } from './passwords/check.ts'
import type { openTokens } from './tokens/access-tokens.ts'
import { bearer } from './tokens/bearer.ts'

/** What the mechanisms are made with. */
export interface Mechanisms extends PasswordCheckDependencies, DigestDependencies {
  readonly tokens: Pick<ReturnType<typeof openTokens>, 'isOwn' | 'verify'>
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: Pick<KnownNetworks, 'note'>
  readonly keyUses: KeyUses
  readonly oauth?: Pick<Oauth, 'identify' | 'security'>
}

/** Every way to say who is calling, the one that clients should prefer first. */
export const everyMechanism = ({ tokens, oauth, keyUses, ...rest }: Mechanisms): Authentication =>
  authenticationBy([
    bearer(tokens, oauth),
    basic(rest),
    ...(rest.secrets.algorithms.length === 0 ? [] : [digest(rest)]),
    apiKey(keyUses, rest.loginThrottle),
  ])
