import type { Body, Json } from '../api/json.ts'

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True if two values of the API are the same. */
const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The merge patch (RFC 7396) that makes `before` into `after`; only what differs. */
export function mergePatch(before: Body, after: Body): Body {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const old = before[name]
      if (isSame(old, value)) return []
      if (isObject(old) && isObject(value)) {
        const removed = Object.keys(old).filter((each) => !(each in value))
        const nulls = Object.fromEntries(removed.map((each) => [each, null]))
        return [[name, { ...mergePatch(old, value), ...nulls }]]
      }
      return [[name, value ?? null]]
    }),
  )
}

/** A field that two people have changed, or one of them. */
export interface MergedField {
  readonly name: string
  readonly base: Json | undefined
  readonly theirs: Json | undefined
  readonly yours: Json | undefined
  /** True if both changed it, to different values. */
  readonly isConflict: boolean
}

/** The fields that differ between what was read, what is stored now and what was entered. */
export function mergedFields(base: Body, theirs: Body, yours: Body): readonly MergedField[] {
  return Object.keys(yours).flatMap((name) => {
    const field = { name, base: base[name], theirs: theirs[name], yours: yours[name] }
    const isTheirs = !isSame(field.base, field.theirs)
    const isYours = !isSame(field.base, field.yours)
    if ((!isTheirs && !isYours) || isSame(field.theirs, field.yours)) return []
    return [{ ...field, isConflict: isTheirs && isYours }]
  })
}
