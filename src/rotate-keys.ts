import { openKeyRing } from '#identity/oauth/keys/ring.ts'
import { openSealer } from '#identity/sealing.ts'
import { keepSecretKey } from '#src/operations/secret-key.ts'
import { loadEnvironmentFile, readConfig } from './config.ts'
import { openDatabase } from './start/database.ts'
import { failToStart } from './start/failure.ts'

try {
  loadEnvironmentFile()
  const { database, secretKey } = readConfig(process.env)
  const store = await openDatabase(database)
  const sealer = openSealer(secretKey ?? (await keepSecretKey(database.file)))
  const ring = openKeyRing({ db: store.db, sealer, clock: Date.now })
  const isNew = await ring.rotate(true)
  console.log(
    isNew
      ? 'A new key was made. It is told of now, and signs in ten minutes, in every process.'
      : 'There is no key yet: the first is made when the first client needs it.',
  )
  await store.close()
} catch (error) {
  failToStart(error)
}
