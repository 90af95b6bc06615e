import { loadEnvironmentFile, readDatabaseAddress } from './config.ts'
import { openDatabase } from './start/database.ts'
import { failToStart } from './start/failure.ts'

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
  failToStart(error)
}
