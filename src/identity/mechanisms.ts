import type { Attempts } from '#kernel/attempts.ts'
import type { Authentication } from '#kernel/authentication.ts'
import type { openTokens } from './access-tokens.ts'
import { apiKey } from './api-key.ts'
import { authenticationBy } from './authentication.ts'
import { basic } from './basic.ts'
import { bearer } from './bearer.ts'
import { type Digesting, digest } from './digest.ts'
import type { KeyUses } from './key-uses.ts'
import type { KnownNetworks } from './known-networks.ts'
import type { Oauth } from './oauth/oauth.ts'
import type { Checking } from './password-check.ts'

/** What the mechanisms are made with. */
export interface Mechanisms extends Checking, Digesting {
  readonly tokens: Pick<ReturnType<typeof openTokens>, 'isOwn' | 'verify'>
  readonly attempts: Attempts
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
    apiKey(keyUses, rest.attempts),
  ])
