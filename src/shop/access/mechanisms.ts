import type { Authentication } from '#http/declare/authentication.ts'
import type { KeyUses } from './api-keys/last-used.ts'
import { apiKey } from './api-keys/mechanism.ts'
import { combineAuthenticators } from './authentication.ts'
import { type BasicDependencies, basic } from './basic.ts'
import { type DigestDependencies, digest } from './digest/mechanism.ts'
import type { Oauth } from './oauth/oauth.ts'
import type { createTokenIssuer } from './tokens/access-tokens.ts'
import { bearer } from './tokens/bearer.ts'

/** What the authentication mechanisms depend on. */
export interface MechanismDependencies extends BasicDependencies, DigestDependencies {
  readonly tokens: Pick<ReturnType<typeof createTokenIssuer>, 'isOwn' | 'verify'>
  readonly keyUses: KeyUses
  readonly oauth?: Pick<Oauth, 'identify' | 'security'>
}

/** Combines all enabled mechanisms; their challenges come in order of preference. */
export const createAuthentication = ({
  tokens,
  oauth,
  keyUses,
  ...rest
}: MechanismDependencies): Authentication =>
  combineAuthenticators([
    bearer(tokens, oauth),
    basic(rest),
    ...(rest.secrets.algorithms.length === 0 ? [] : [digest(rest)]),
    apiKey(keyUses, rest.loginThrottle),
  ])
