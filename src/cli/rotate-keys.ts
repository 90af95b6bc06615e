import { eraseDigestSecrets } from '#shop/access/digest/cleanup.ts'
import { createKeyRing } from '#shop/access/oauth/keys/key-ring.ts'
import { type Config, readRotationConfig } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { createCipher } from '#src/secrets/encryption.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { reencryptAll } from '#src/server/re-encryption.ts'
import { exitWithStartError } from '#src/server/start-error.ts'
import { openMigratedDatabase } from '#src/server/startup/database.ts'
import { loadSecretKeys } from '#src/server/startup/secret-key.ts'
import type { Db } from '#store/database.ts'
import { readArguments } from './arguments.ts'

const command = {
  usage: 'npm run rotate-keys',
  description:
    'Re-encrypts the secrets of DATABASE_URL with SECRET_KEY and creates the next OAuth signing key.',
}

async function reencryptSecrets(db: Db, secretKeys: SecretKeys, digest: Config['digest']) {
  if (digest === 'off') {
    console.log(`Digest secrets deleted, since DIGEST is off: ${await eraseDigestSecrets(db)}.`)
  }
  const { reencrypted, unreadable } = await reencryptAll(db, secretKeys, digest)
  console.log(`Secrets re-encrypted with SECRET_KEY: ${reencrypted}.`)
  if (unreadable > 0)
    console.log(`Secrets unchanged, since no configured key decrypts them: ${unreadable}.`)
  if (secretKeys.length > 1) {
    console.log('Keep SECRET_KEY_PREVIOUS for another 15 minutes, until the current tokens expire.')
  }
}

async function rotateSigningKey(db: Db, secretKeys: SecretKeys): Promise<void> {
  const ring = createKeyRing({ db, cipher: createCipher(secretKeys), clock: Date.now })
  const isNew = await ring.rotate(true)
  console.log(
    isNew
      ? 'Created an OAuth signing key. It is published now; every process signs with it in ten minutes.'
      : 'There is no OAuth signing key yet. It is created when a client first needs it.',
  )
}

try {
  readArguments(command)
  loadEnvironment()
  const config = readRotationConfig(process.env)
  const { db, close } = await openMigratedDatabase(config.database)
  try {
    const secretKeys = await loadSecretKeys(config)
    await reencryptSecrets(db, secretKeys, config.digest)
    await rotateSigningKey(db, secretKeys)
  } finally {
    await close()
  }
} catch (error) {
  exitWithStartError(error)
}
