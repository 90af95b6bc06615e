import type { Dependencies } from '#shop/dependencies.ts'
import {
  commonPasswordProblem,
  type PreparedPassword,
  requirePasswordUnlikeNames,
} from './rules.ts'

/** What a new password depends on. */
export type NewPasswordDependencies = Pick<Dependencies, 'passwords' | 'digests' | 'shopName'>

/** Hashes a new password, which takes long. Throws 422/4221 for a widely used one. */
export async function preparePassword(
  { passwords, digests, shopName }: NewPasswordDependencies,
  password: string,
): Promise<PreparedPassword> {
  if (await passwords.isCommon(password)) throw commonPasswordProblem()
  return {
    hash: await passwords.hash(password),
    createDigestSecret: (username) => digests.make(username, password),
    requireUnlike: (names) => requirePasswordUnlikeNames(password, [shopName, ...names]),
  }
}
