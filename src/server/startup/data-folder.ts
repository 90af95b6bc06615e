import { dirname, resolve } from 'node:path'
import { defaultDataFolder } from '#db/private-files.ts'
import type { DatabaseAddress } from '#src/config/database-url.ts'

/**
 * The folder of the data that is not in the database: that of the embedded database, else the
 * default one.
 */
export const dataFolderOf = ({ file }: DatabaseAddress): string =>
  file === undefined ? resolve(defaultDataFolder) : dirname(file)
