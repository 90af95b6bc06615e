import type { TObject } from 'typebox'
import { type ObjectShape, objectShapeOf, type Shape, withoutNull } from '#schema/shape.ts'

/** A column of a table of entities; a list, a map or a union is JSON in a cell. */
export interface Column {
  /** The path of its value with dots, such as `rating.average`. */
  readonly name: string
  readonly path: readonly string[]
}

/**
 * Returns the columns of an object: one for each field, or for the fields of a nested object. Secrets that
 * are shown once have none.
 */
export const columnsOf = (schema: TObject): readonly Column[] =>
  columnsBelow(objectShapeOf(schema), [])

const columnsBelow = ({ members }: ObjectShape, path: readonly string[]): readonly Column[] =>
  members
    .filter(({ shape }) => shape.schema.shownOnce !== true)
    .flatMap(({ name, shape }) => {
      const inner = [...path, name]
      const nested = objectIn(shape)
      return nested ? columnsBelow(nested, inner) : [{ name: inner.join('.'), path: inner }]
    })

/** The object with known fields that a value, if it is not null, always is. */
function objectIn(shape: Shape): ObjectShape | undefined {
  const value = withoutNull(shape)
  return 'members' in value && !value.isOpen && value.members.length > 0 ? value : undefined
}
