/** What the schema of a value says. */
export interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly required?: readonly string[]
  /** The schema of the members of a map. */
  readonly additionalProperties?: boolean | Shape
  readonly maxLength?: number
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly logical?: string
  readonly valueWhenNull?: unknown
}

/** A name of a member or the place of an entry. */
export type PathStep = string | number

/** A value inside a body, its schema and its path. */
export interface BodyValue {
  readonly at: readonly PathStep[]
  readonly shape: Shape
  readonly value: unknown
  readonly isNullable: boolean
  /** What null stands for. */
  readonly whenNull: unknown
}

/** All values of a body with their schemas, the body itself first. */
export function valuesIn(
  shape: Shape,
  value: unknown,
  at: readonly PathStep[] = [],
): readonly BodyValue[] {
  const ofValue = ({ type }: Shape) => (type === 'array') === Array.isArray(value)
  const variants = shape.anyOf?.filter(({ type }) => type !== 'null')
  const present = variants?.find(ofValue) ?? variants?.[0]
  const known = present ?? shape
  const isNullable = present !== undefined
  const bodyValue = { at, shape: known, value, isNullable, whenNull: shape.valueWhenNull ?? null }
  if (Array.isArray(value)) {
    return [bodyValue, ...value.flatMap((each, n) => valuesIn(known.items ?? {}, each, [...at, n]))]
  }
  if (typeof value !== 'object' || value === null) return [bodyValue]
  const { additionalProperties: ofMap } = known
  // Of several types a wrong one may be right.
  if (typeof ofMap === 'object' && ofMap.type === undefined) return [bodyValue]
  const ofOthers = typeof ofMap === 'object' ? ofMap : {}
  const members = Object.entries(value).flatMap(([name, member]) =>
    valuesIn(known.properties?.[name] ?? ofOthers, member, [...at, name]),
  )
  return [bodyValue, ...members]
}

/** True for an object whose members have names of its own. */
export const isMap = ({ shape }: BodyValue): boolean =>
  typeof shape.additionalProperties === 'object'

/** A copy of the body with the value at a path replaced; undefined removes it. */
export function replaceAt(
  body: unknown,
  [step, ...rest]: readonly PathStep[],
  value: unknown,
): unknown {
  if (step === undefined) return value
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<
    PathStep,
    unknown
  >
  copy[step] = replaceAt(copy[step], rest, value)
  return copy
}

/** A path as errors name it. */
export const nameOf = (at: readonly PathStep[]): string =>
  at
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)
