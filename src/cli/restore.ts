import { readBackupConfig } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { restoreBackup } from '#src/server/backup/restore.ts'
import { exitWithStartError } from '#src/server/start-error.ts'
import { filesFolderOf } from '#src/server/startup/files.ts'
import { readFolder } from './arguments.ts'

const command = {
  usage: 'npm run restore -- FOLDER [--force]',
  description:
    'Restores the shop of DATABASE_URL from a backup, while no server runs. With --force it replaces what is there.',
  options: { force: { type: 'boolean' } },
} as const

try {
  const { folder, values } = readFolder(command)
  loadEnvironment()
  const { database, files } = readBackupConfig(process.env)
  const filesFolder = filesFolderOf(database, files)
  await restoreBackup(database, folder, values.force === true, filesFolder)
  console.log(`Backup restored: ${folder}`)
} catch (error) {
  exitWithStartError(error)
}
