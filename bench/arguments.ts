/** The server that PostgreSQL is measured on unless another is named. */
export const defaultPostgres = 'postgres://postgres@127.0.0.1:5432/postgres'

/** Reads the number of an option; throws with one sentence unless it is above zero. */
export function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a positive number, not "${text}"`)
  return value
}

/** Reads what `--only` names, all of it where it names nothing; throws where it is not known. */
export function chosen<Name extends string>(
  only: readonly string[],
  known: readonly Name[],
): ReadonlySet<Name> {
  const named = only.flatMap((names) => names.split(','))
  return new Set(named.length === 0 ? known : named.map((name) => toKnown(name, known)))
}

function toKnown<Name extends string>(name: string, known: readonly Name[]): Name {
  const found = known.find((each) => each === name)
  if (!found) throw new Error(`--only takes ${known.join(', ')}; not "${name}"`)
  return found
}
