import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { shownOnceFields } from '#schema/words.ts'

/** A column of a table of entities. */
export interface Column {
  /** The path of its value with dots, such as `rating.average`. */
  readonly name: string
  readonly path: readonly string[]
  /** The schema of its value; a list, a map or a union is JSON in a cell. */
  readonly schema: TSchema
}

interface Shape {
  readonly type?: string
  readonly properties?: TProperties
  readonly additionalProperties?: unknown
  readonly anyOf?: readonly TSchema[]
}

/**
 * Returns the columns of an object: one for each field, or for the fields of a nested object. Secrets that
 * are shown once have none.
 */
export const columnsOf = (schema: TObject): readonly Column[] => columnsBelow(schema, [])

function columnsBelow(schema: TObject, path: readonly string[]): readonly Column[] {
  const secrets = shownOnceFields(schema)
  return Object.entries(schema.properties as TProperties)
    .filter(([name]) => !secrets.includes(name))
    .flatMap(([name, field]) => {
      const inner = [...path, name]
      const nested = objectIn(field)
      return nested
        ? columnsBelow(nested, inner)
        : [{ name: inner.join('.'), path: inner, schema: field }]
    })
}

/** The object with known fields that a value, if it is not null, always is. */
function objectIn(schema: TSchema): TObject | undefined {
  const { type, properties = {}, additionalProperties = false, anyOf } = schema as Shape
  if (anyOf) {
    const variants = anyOf.filter((variant) => (variant as Shape).type !== 'null')
    const [only] = variants
    return only && variants.length === 1 ? objectIn(only) : undefined
  }
  const isClosed = additionalProperties === false && Object.keys(properties).length > 0
  return type === 'object' && isClosed ? Type.Object(properties) : undefined
}
