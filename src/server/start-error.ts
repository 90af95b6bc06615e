import { ConfigError } from '#src/config/setting.ts'
import { DatabaseVersionError } from '#store/migrate.ts'

/** An expected reason why the process cannot start; its message is one line for operators. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** A mistake in the arguments of a command. */
export class UsageError extends StartError {
  override readonly name = 'UsageError'
}

/**
 * Prints a start error to standard error and exits with 1, or with 2 for a UsageError; the stack is
 * shown only for unexpected errors.
 */
export function exitWithStartError(error: unknown): never {
  const isExpected =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof DatabaseVersionError
  console.error(isExpected ? error.message : error)
  process.exit(error instanceof UsageError ? 2 : 1)
}
