import { NewerDatabaseError } from '#db/migrate.ts'
import { ConfigError } from '#src/config/setting.ts'

/** An expected reason why the process cannot start; its message is one line for operators. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Prints a start error to standard error and exits with 1; the stack is shown only for unexpected errors. */
export function exitWithStartError(error: unknown): void {
  const isExpected =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof NewerDatabaseError
  console.error(isExpected ? error.message : error)
  process.exit(1)
}
