import { loadEnvironmentFile, readDatabaseAddress } from '#src/config/config.ts'
import { openDatabase } from '#src/server/open/database.ts'
import { exitWithStartError } from '#src/server/start-error.ts'

try {
  loadEnvironmentFile()
  const store = await openDatabase(readDatabaseAddress(process.env))
  try {
    const names = await store.migrate()
    for (const name of names) console.log(`Migrated: ${name}`)
    if (names.length === 0) console.log('The database is up to date.')
  } finally {
    await store.close()
  }
} catch (error) {
  exitWithStartError(error)
}
