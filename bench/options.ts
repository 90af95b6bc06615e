import { parseArgs } from 'node:util'

type Value = string | number | boolean | string[]

/** The URL of the PostgreSQL server that is measured by default. */
export const defaultPostgresUrl = 'postgres://postgres@127.0.0.1:5432/postgres'

/**
 * Reads the options that have these defaults from a command line: a list may be given several
 * times. Throws an Error of one sentence for an unknown option or a number that is not positive.
 */
export function readOptions<Defaults extends Record<string, Value>>(
  defaults: Defaults,
  args: readonly string[] = process.argv.slice(2),
): Defaults {
  const options = Object.entries(defaults).map(([name, value]) => {
    if (Array.isArray(value)) return [name, { type: 'string', multiple: true, default: value }]
    if (typeof value === 'boolean') return [name, { type: 'boolean', default: value }]
    return [name, { type: 'string', default: String(value) }]
  })
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(options) })
  const read = Object.entries(values).map(([name, value]) => [
    name,
    typeof defaults[name] === 'number' ? positive(name, String(value)) : value,
  ])
  return Object.fromEntries(read)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a positive number, not "${text}"`)
  return value
}

/** Reads the comma-separated names of `--only`; without any, all known names are returned. */
export function readOnly<Name extends string>(
  only: readonly string[],
  known: readonly Name[],
): ReadonlySet<Name> {
  if (only.length === 0) return new Set(known)
  const names = only.flatMap((text) => text.split(','))
  return new Set(
    names.map((name) => {
      const found = known.find((each) => each === name)
      if (!found) throw new Error(`--only takes ${known.join(', ')}; not "${name}"`)
      return found
    }),
  )
}
