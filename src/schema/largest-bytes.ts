import type { TSchema } from 'typebox'
import { type Member, type Shape, shapeOf } from './shape.ts'

// A character outside the BMP may be two escapes in JSON; a reference of XML is no longer.
const bytesPerCharacter = 12
/** The longest text of what has another limit than a length: a number, an instant, a code. */
const bytesOfScalar = 64
// `"name": ` and `,`, or the tags of an XML element.
const bytesAround = (name: string): number => 2 * Buffer.byteLength(name) + 16

/**
 * Returns how many bytes the largest JSON or XML text of a schema has. Throws a TypeError that names
 * a list, map or text without a maximum.
 */
export const largestBytesOf = (schema: TSchema): number => sizeOf(shapeOf(schema), '')

function sizeOf(shape: Shape, path: string): number {
  switch (shape.kind) {
    case 'nullable':
      return sizeOf(shape.of, path)
    case 'union':
      return Math.max(...shape.variants.map((variant) => sizeOf(variant, path)))
    case 'enum':
      return Math.max(...shape.values.map((value) => Buffer.byteLength(value)))
    case 'text':
      return textSize(shape, path)
    case 'list':
      return (
        required(shape.schema.maxItems, path, 'maxItems') * (sizeOf(shape.items, `${path}[]`) + 16)
      )
    case 'object':
    case 'amount':
      return membersSize(shape.members, path)
    case 'map': {
      const count = required(shape.schema.maxProperties, path, 'maxProperties')
      return membersSize(shape.members, path) + count * (sizeOf(shape.values, `${path}{}`) + 256)
    }
    default:
      return bytesOfScalar
  }
}

function textSize({ schema }: Shape, path: string): number {
  const { maxLength, format } = schema
  if (maxLength === undefined && format === 'country') return bytesOfScalar
  return required(maxLength, path, 'maxLength') * bytesPerCharacter
}

const membersSize = (members: readonly Member[], path: string): number =>
  members.reduce(
    (sum, { name, shape }) => sum + bytesAround(name) + sizeOf(shape, `${path}.${name}`),
    0,
  )

function required(maximum: number | undefined, path: string, keyword: string): number {
  if (maximum === undefined) throw new TypeError(`${path || 'a value'} has no ${keyword}`)
  return maximum
}
