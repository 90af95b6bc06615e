import { openSealer } from '#auth/encryption.ts'
import { openKeyRing } from '#auth/oauth/keys/key-ring.ts'
import { eraseDigestSecrets } from '#auth/re-encryption/digest-cleanup.ts'
import { reencryptAll } from '#auth/re-encryption/re-encrypt.ts'
import { loadEnvironmentFile, readRotationConfig } from '#src/config/config.ts'
import { openDatabase } from '#src/server/open/database.ts'
import { loadSecretKeys } from '#src/server/open/secret-key.ts'
import { exitWithStartError } from '#src/server/start-error.ts'

try {
  loadEnvironmentFile()
  const config = readRotationConfig(process.env)
  const secretKeys = await loadSecretKeys(config)
  const store = await openDatabase(config.database)
  if (config.digest === 'off') {
    console.log(
      `Digest secrets deleted, since DIGEST is off: ${await eraseDigestSecrets(store.db)}.`,
    )
  }
  const { reencrypted, unreadable } = await reencryptAll(store.db, secretKeys, config.digest)
  console.log(`Secrets re-encrypted with SECRET_KEY: ${reencrypted}.`)
  if (unreadable > 0)
    console.log(`Secrets unchanged, since no configured key decrypts them: ${unreadable}.`)
  if (secretKeys.length > 1) {
    console.log('Keep SECRET_KEY_PREVIOUS for another 15 minutes, until the current tokens expire.')
  }
  const sealer = openSealer(secretKeys)
  const ring = openKeyRing({ db: store.db, sealer, clock: Date.now })
  const isNew = await ring.rotate(true)
  console.log(
    isNew
      ? 'Created an OAuth signing key. It is published now; every process signs with it in ten minutes.'
      : 'There is no OAuth signing key yet. It is created when a client first needs it.',
  )
  await store.close()
} catch (error) {
  exitWithStartError(error)
}
