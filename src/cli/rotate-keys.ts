import { openSealer } from '#auth/encryption.ts'
import { openKeyRing } from '#auth/oauth/keys/key-ring.ts'
import { eraseDigestSecrets } from '#auth/re-encryption/digest-cleanup.ts'
import { reencryptAll } from '#auth/re-encryption/re-encrypt.ts'
import { loadEnvironmentFile, readRotationConfig } from '#src/config/config.ts'
import { failToStart } from '#src/server/exit-on-start-error.ts'
import { openDatabase } from '#src/server/open/database.ts'
import { secretsOf } from '#src/server/open/secrets.ts'

try {
  loadEnvironmentFile()
  const config = readRotationConfig(process.env)
  const secretKeys = await secretsOf(config)
  const store = await openDatabase(config.database)
  if (config.digest === 'off') {
    console.log(`Erased, since DIGEST is off: ${await eraseDigestSecrets(store.db)}.`)
  }
  const { reencrypted, unreadable } = await reencryptAll(store.db, secretKeys, config.digest)
  console.log(`Sealed anew under SECRET_KEY: ${reencrypted}.`)
  if (unreadable > 0) console.log(`Left, since no key of this server opens it: ${unreadable}.`)
  if (secretKeys.length > 1) {
    console.log('SECRET_KEY_PREVIOUS is needed for another 15 minutes, by tokens that are in use.')
  }
  const sealer = openSealer(secretKeys)
  const ring = openKeyRing({ db: store.db, sealer, clock: Date.now })
  const isNew = await ring.rotate(true)
  console.log(
    isNew
      ? 'A new key of OAuth was made. It is told of now, and signs in ten minutes, in every process.'
      : 'There is no key of OAuth yet: the first is made when the first client needs it.',
  )
  await store.close()
} catch (error) {
  failToStart(error)
}
