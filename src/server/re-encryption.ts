import { createDigestSecrets, type DigestSetting } from '#shop/access/digest/secrets.ts'
import { createCipher } from '#src/secrets/encryption.ts'
import type { KeyPurpose, SecretKeys } from '#src/secrets/keys.ts'
import { type ReencryptionResult, reencryptTables } from '#src/secrets/re-encrypt.ts'
import type { Db } from '#store/database.ts'
import { encryptedTables } from './tables.ts'

/** Re-encrypts under the first secret everything in the database that another secret encrypted. */
export const reencryptAll = (
  db: Db,
  secretKeys: SecretKeys,
  digest: DigestSetting = 'on',
): Promise<ReencryptionResult> =>
  reencryptTables(db, encryptedTables, (purpose) =>
    purpose === 'digest-secret'
      ? createDigestSecrets(secretKeys, digest).reencryption
      : createCipher(secretKeys, purpose as KeyPurpose),
  )
