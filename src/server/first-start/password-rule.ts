import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import { minPasswordLength } from '#shop/accounts/users/schema.ts'
import { StartError } from '#src/server/start-error.ts'
import { isSimilarToName } from '#values/similar-name.ts'
import { seenLength } from '#values/text-key.ts'

/**
 * Throws a StartError, which names `source`, for a common password and for one similar to a name of
 * the user or the shop.
 */
export async function requireStrongPassword(
  { isCommon }: Pick<Passwords, 'isCommon'>,
  source: string,
  password: string,
  names: readonly (string | null)[],
): Promise<void> {
  if (seenLength(password) < minPasswordLength) {
    throw new StartError(`${source} must have ${minPasswordLength} characters besides blanks`)
  }
  if (await isCommon(password)) {
    throw new StartError(`${source} must not be a commonly used password`)
  }
  if (isSimilarToName(password, names)) {
    throw new StartError(`${source} must not be similar to a name of the user or the shop`)
  }
}
