import type { SecretKeys } from '#auth/keys.ts'
import type { Config } from '#src/config/config.ts'
import { keepSecretKey } from './secret-key.ts'

/**
 * The secrets of this server, the one that everything new is made under first: as set, or as kept
 * beside an embedded database. Throws a StartError where what is kept is no key.
 */
export async function secretsOf({
  secretKey,
  secretKeyPrevious,
  database,
}: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'database'>): Promise<SecretKeys> {
  const current = secretKey ?? (await keepSecretKey(database.file))
  return [current, ...secretKeyPrevious.filter((each) => each !== current)]
}
