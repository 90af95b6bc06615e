import { readDatabaseAddress } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { exitWithStartError } from '#src/server/start-error.ts'
import { openDatabase } from '#src/server/startup/database.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import { readArguments } from './arguments.ts'

const command = {
  usage: 'npm run migrate',
  description: 'Creates the tables of DATABASE_URL, or brings them up to date.',
}

try {
  readArguments(command)
  loadEnvironment()
  const store = await openDatabase(readDatabaseAddress(process.env))
  try {
    const names = await store.migrate(tableDeclarations)
    for (const name of names) console.log(`Migrated: ${name}`)
    if (names.length === 0) console.log('The database is up to date.')
  } finally {
    await store.close()
  }
} catch (error) {
  exitWithStartError(error)
}
