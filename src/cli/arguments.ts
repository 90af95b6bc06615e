import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { exitWithStartError, UsageError } from '#src/server/start-error.ts'

/** A command: how it is called, what it does, and its arguments. */
interface Command<Options extends ParseArgsOptionsConfig> {
  /** As it is typed, such as `npm run migrate`. */
  readonly usage: string
  /** Sentences for `--help`. */
  readonly description: string
  readonly options?: Options
  /** True for a command with arguments that are no options. */
  readonly allowPositionals?: boolean
}

/**
 * Returns the arguments of a command. `--help` prints its usage and ends the process. Throws a
 * UsageError of one line for an unknown argument or an option without its value.
 */
export function readArguments<const Options extends ParseArgsOptionsConfig = Record<never, never>>(
  { usage, description, options, allowPositionals = false }: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
) {
  if (args.includes('--help')) {
    console.log(`usage: ${usage}\n${description}`)
    process.exit(0)
  }
  try {
    return parseArgs({ args: [...args], options: options ?? ({} as Options), allowPositionals })
  } catch (error) {
    throw new UsageError(`${describeMistake(error as Error)}; usage: ${usage}`)
  }
}

/** As `readArguments`, for a command whose one argument is a folder. */
export function readFolder<const Options extends ParseArgsOptionsConfig = Record<never, never>>(
  command: Command<Options>,
) {
  const { values, positionals } = readArguments({ ...command, allowPositionals: true })
  const [folder, ...others] = positionals
  if (folder === undefined || folder === '' || others.length > 0) {
    throw new UsageError(`usage: ${command.usage}`)
  }
  return { folder, values }
}

/** Returns the result of `read`; prints a UsageError that it throws and ends the process with 2. */
export function exitOnUsageError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return exitWithStartError(error)
  }
}

function describeMistake({ message }: Error): string {
  const [, name] = /^Option '(--?[\w-]+).* argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (name !== undefined) return `Option '${name}' requires a value that does not begin with '-'`
  // Only the first sentence; the rest is advice on quoting.
  return message.split(/[.;\n]/, 1).join()
}
