import type { Dependencies } from '#shop/dependencies.ts'
import { commonPasswordProblem, requirePasswordUnlikeNames } from './rules.ts'

/** Hashes the new password in a body. Throws 422/4221 for a widely used one. */
export type HashPassword = <B extends { readonly password?: string }>(body: B) => Promise<B>

/** What a new password depends on. */
export type NewPasswordDependencies = Pick<Dependencies, 'passwords' | 'digests' | 'shopName'>

/** Hashes the new password in a body and adds what the rules need of its plain text. */
export const passwordHasher =
  ({ passwords, digests, shopName }: NewPasswordDependencies): HashPassword =>
  async (body) => {
    const { password } = body
    if (password === undefined) return body
    if (await passwords.isCommon(password)) throw commonPasswordProblem()
    const createDigestSecret = (username: string) => digests.make(username, password)
    const requirePasswordUnlike = (names: readonly (string | null)[]) =>
      requirePasswordUnlikeNames(password, [shopName, ...names])
    return {
      ...body,
      password: await passwords.hash(password),
      createDigestSecret,
      requirePasswordUnlike,
    }
  }
