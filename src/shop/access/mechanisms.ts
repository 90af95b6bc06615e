import type { Authentication } from '#http/declare/authentication.ts'
import type { PasswordCheckParts } from '#shop/accounts/passwords/verify.ts'
import { verifyOwnPassword } from '#shop/accounts/users/actions.ts'
import type { KeyUses } from './api-keys/last-used.ts'
import { apiKey } from './api-keys/mechanism.ts'
import { combineAuthenticators } from './authentication.ts'
import { basic } from './basic.ts'
import { type DigestParts, digest } from './digest/mechanism.ts'
import type { Oauth } from './oauth/oauth.ts'
import type { Tokens } from './tokens/access-tokens.ts'
import { bearer } from './tokens/bearer.ts'

/** What the authentication mechanisms are made with. */
export interface MechanismParts extends PasswordCheckParts, DigestParts {
  readonly tokens: Pick<Tokens, 'isOwn' | 'verify'>
  readonly keyUses: KeyUses
  readonly oauth?: Pick<Oauth, 'identify' | 'security'>
}

/** Combines all enabled mechanisms; their challenges come in order of preference. */
export const createAuthentication = ({
  tokens,
  oauth,
  keyUses,
  ...rest
}: MechanismParts): Authentication =>
  combineAuthenticators(
    [
      bearer(tokens, oauth),
      basic(rest),
      ...(rest.digests.algorithms.length === 0 ? [] : [digest(rest)]),
      apiKey(keyUses, rest.loginThrottle),
    ],
    (ctx, password) => verifyOwnPassword(rest, ctx, password),
  )
