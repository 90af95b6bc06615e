import type { Passwords } from '#resources/dependencies.ts'
import { StartError } from '#src/server/start-error.ts'
import { isSimilarToName } from '#values/similar-name.ts'

/** Throws a StartError for a password that is widely used, or a name of its user or of the shop. */
export async function requireUnguessable(
  { isCommon }: Pick<Passwords, 'isCommon'>,
  source: string,
  password: string,
  names: readonly (string | null)[],
): Promise<void> {
  if (await isCommon(password)) {
    throw new StartError(`${source} must be another password: this one is widely used`)
  }
  if (isSimilarToName(password, names)) {
    throw new StartError(`${source} must not be a name of the user or of the shop`)
  }
}
