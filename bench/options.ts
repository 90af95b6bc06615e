import { exitOnUsageError, readArguments } from '#src/cli/arguments.ts'
import { UsageError } from '#src/server/start-error.ts'

type Value = string | number | boolean | string[]

/** The URL of the PostgreSQL server that is measured by default. */
export const defaultPostgresUrl = 'postgres://postgres@127.0.0.1:5432/postgres'

/**
 * Reads the options that have these defaults from the command line: a list may be given several
 * times. Prints a mistake and ends the process with 2.
 */
export function readOptions<Defaults extends Record<string, Value>>(
  script: string,
  defaults: Defaults,
): Defaults {
  const options = Object.entries(defaults).map(([name, value]) => {
    if (Array.isArray(value)) return [name, { type: 'string', multiple: true, default: value }]
    if (typeof value === 'boolean') return [name, { type: 'boolean', default: value }]
    return [name, { type: 'string', default: String(value) }]
  })
  const shown = Object.entries(defaults).map(([name, value]) =>
    typeof value === 'boolean' ? `[--${name}]` : `[--${name} ${String(value) || 'VALUE'}]`,
  )
  const command = {
    usage: [`npm run ${script} --`, ...shown].join(' '),
    description: 'The options show their defaults. bench/README.md describes what is measured.',
    options: Object.fromEntries(options),
  }
  return exitOnUsageError(() => {
    const { values } = readArguments(command)
    const read = Object.entries(values).map(([name, value]) => [
      name,
      typeof defaults[name] === 'number' ? positive(name, String(value)) : value,
    ])
    return Object.fromEntries(read)
  })
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new UsageError(`--${name} must be a positive number, not "${text}"`)
  return value
}

/**
 * Reads the comma-separated names that an option was given; without any, all known names are returned.
 * Prints a mistake and ends the process with 2.
 */
export function readNames<Name extends string>(
  option: string,
  given: readonly string[],
  known: readonly Name[],
): ReadonlySet<Name> {
  if (given.length === 0) return new Set(known)
  const names = given.flatMap((text) => text.split(','))
  return exitOnUsageError(
    () =>
      new Set(
        names.map((name) => {
          const found = known.find((each) => each === name)
          if (!found)
            throw new UsageError(`--${option} must be of ${known.join(', ')}; not "${name}"`)
          return found
        }),
      ),
  )
}
