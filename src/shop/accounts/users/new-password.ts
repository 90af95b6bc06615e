import type { Context } from '#http/declare/context.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { SpendHash } from '#http/rate-limit/hash-budget.ts'
import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import { seenLength } from '#values/text-key.ts'
import {
  commonPasswordProblem,
  type PreparedPassword,
  requirePasswordUnlikeNames,
  shortPasswordProblem,
} from './rules.ts'
import { minPasswordLength } from './schema.ts'

/** What makes a new password ready to be set. */
export interface NewPasswordParts {
  readonly passwords: Pick<Passwords, 'isCommon' | 'hash'>
  /** Makes the secrets of HTTP Digest (RFC 7616); null where Digest is off. */
  readonly digests: { readonly make: (username: string, password: string) => string | null }
  readonly shopName: string
  readonly spendHash: SpendHash
}

/**
 * Hashes a new password, which takes long, once `check` has run every other rule with a stand-in.
 * Throws 422/4221 for a widely used password and for one of blanks, and 429/4291 when the network has had too many hashed.
 */
export async function preparePassword(
  { passwords, digests, shopName, spendHash }: NewPasswordParts,
  { auditActor, now }: Pick<Context, 'auditActor' | 'now'>,
  password: string,
  check: (standIn: PreparedPassword) => unknown,
): Promise<PreparedPassword> {
  if (seenLength(password) < minPasswordLength) throw shortPasswordProblem()
  if (await passwords.isCommon(password)) throw commonPasswordProblem()
  const requireUnlike: PreparedPassword['requireUnlike'] = (names) =>
    requirePasswordUnlikeNames(password, [shopName, ...names])
  await check({ hash: '', createDigestSecret: () => null, requireUnlike })
  const address = auditActor().address ?? ''
  await spendHash(address, now)
  return {
    hash: await passwords.hash(password, siteOf(networkOf(address))),
    createDigestSecret: (username) => digests.make(username, password),
    requireUnlike,
  }
}
