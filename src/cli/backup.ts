import { readBackupConfig } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { createBackup } from '#src/server/backup/create.ts'
import { exitWithStartError } from '#src/server/start-error.ts'
import { filesFolderOf } from '#src/server/startup/files.ts'
import { readFolder } from './arguments.ts'

const command = {
  usage: 'npm run backup -- FOLDER',
  description:
    'Copies the shop of DATABASE_URL into a new or empty folder, while the server may run: the database, the generated secret key, the charges of the sandbox and the images of a local FILES_URL.',
}

try {
  const { folder } = readFolder(command)
  loadEnvironment()
  const { database, files } = readBackupConfig(process.env)
  await createBackup(database, folder, filesFolderOf(database, files))
  console.log(`Backup written: ${folder}`)
} catch (error) {
  exitWithStartError(error)
}
