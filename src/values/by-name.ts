// A property named by a variable is looked up anew for each of the shapes of objects that ever came
// by; one written out in the code of a function of its own is where it was last time. So functions are
// made, once, for names known at the start or told by the database.

const quoted = (name: string): string => JSON.stringify(name)

const made = (parameter: string, code: string) => new Function(parameter, code) as unknown

/** Makes objects with these properties, in this order, of their values. */
export function objectMaker(
  names: readonly string[],
): (values: readonly unknown[]) => Record<string, unknown> {
  // In brackets, so that `__proto__` is a name like any other.
  const members = names.map((name, at) => `[${quoted(name)}]: values[${at}]`)
  return made('values', `return { ${members.join(', ')} }`) as ReturnType<typeof objectMaker>
}

/** Reads these properties of objects, in this order; undefined where there is none. */
export function valuesReader(
  names: readonly string[],
): (source: Readonly<Record<string, unknown>>) => unknown[] {
  const members = names.map((name) => `source[${quoted(name)}]`)
  return made('source', `return [${members.join(', ')}]`) as ReturnType<typeof valuesReader>
}

/** A property, and what becomes of its value; undefined where that stays as it is. */
export interface Mapping {
  readonly name: string
  readonly map: ((value: unknown) => unknown) | undefined
}

/** Makes objects of other objects, property by property, without those that are undefined. */
export function objectMapper(
  mappings: readonly Mapping[],
): (source: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const lines = mappings.map(({ name, map }, at) => {
    const value = map ? `maps[${at}](value)` : 'value'
    return `value = source[${quoted(name)}]; if (value !== undefined) told[${quoted(name)}] = ${value};`
  })
  const code = `return (source) => { const told = {}; let value; ${lines.join('\n')} return told }`
  const make = made('maps', code) as (maps: readonly unknown[]) => ReturnType<typeof objectMapper>
  return make(mappings.map(({ map }) => map))
}
