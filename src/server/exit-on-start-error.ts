import { NewerDatabaseError } from '#db/migrate.ts'
import { ConfigError } from '#src/config/setting.ts'
import { StartError } from './start-error.ts'

/** Tells on standard error why the process could not start, a mistake of whom started it without a stack, and ends it with 1. */
export function failToStart(error: unknown): void {
  const isMistake =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof NewerDatabaseError
  console.error(isMistake ? error.message : error)
  process.exit(1)
}
