import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import {
  commonPasswordProblem,
  type PreparedPassword,
  requirePasswordUnlikeNames,
} from './rules.ts'

/** What makes a new password ready to be set. */
export interface NewPasswordParts {
  readonly passwords: Pick<Passwords, 'isCommon' | 'hash'>
  /** Makes the secrets of HTTP Digest (RFC 7616); null where Digest is off. */
  readonly digests: { readonly make: (username: string, password: string) => string | null }
  readonly shopName: string
}

/** Hashes a new password, which takes long. Throws 422/4221 for a widely used one. */
export async function preparePassword(
  { passwords, digests, shopName }: NewPasswordParts,
  password: string,
): Promise<PreparedPassword> {
  if (await passwords.isCommon(password)) throw commonPasswordProblem()
  return {
    hash: await passwords.hash(password),
    createDigestSecret: (username) => digests.make(username, password),
    requireUnlike: (names) => requirePasswordUnlikeNames(password, [shopName, ...names]),
  }
}
