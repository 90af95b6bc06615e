import { dirname, resolve } from 'node:path'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import { defaultDataFolder } from '#store/private-files.ts'

/**
 * The folder of the data that is not in the database: that of the embedded database, else the
 * default one.
 */
export const dataFolderOf = ({ file }: DatabaseAddress): string =>
  file === undefined ? resolve(defaultDataFolder) : dirname(file)
