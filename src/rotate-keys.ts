import { openKeyRing } from '#identity/oauth/keys/ring.ts'
import { eraseDigestSecrets } from '#identity/resealing/digest-cleanup.ts'
import { resealAll } from '#identity/resealing/reseal.ts'
import { openSealer } from '#identity/sealing.ts'
import { loadEnvironmentFile, readRotationConfig } from './config.ts'
import { openDatabase } from './start/database.ts'
import { failToStart } from './start/failure.ts'
import { secretsOf } from './start/secrets.ts'

try {
  loadEnvironmentFile()
  const config = readRotationConfig(process.env)
  const secretKeys = await secretsOf(config)
  const store = await openDatabase(config.database)
  if (config.digest === 'off') {
    console.log(`Erased, since DIGEST is off: ${await eraseDigestSecrets(store.db)}.`)
  }
  const { resealed, unreadable } = await resealAll(store.db, secretKeys, config.digest)
  console.log(`Sealed anew under SECRET_KEY: ${resealed}.`)
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
