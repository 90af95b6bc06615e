import { type TSchema, Type } from 'typebox'
import type { LinkRepresentation } from '#http/message/link-representation.ts'
import { type ObjectShape, type Shape, shapeOf } from '#schema/shape.ts'
import { entryNameOf, memberTag } from './names.ts'

/** The XML form of the values of a schema. `ignored` elements are read and dropped. */
export type XmlShape =
  | { readonly kind: 'any' | 'number' | 'boolean' | 'links' | 'link' | 'ignored' }
  | { readonly kind: 'string'; readonly values?: readonly string[] | undefined }
  | { readonly kind: 'array'; readonly entry: string; readonly items: XmlShape }
  | XmlObject

/** The XML form of an object. */
export interface XmlObject {
  readonly kind: 'object'
  /** By the content of their start tag. */
  readonly members: ReadonlyMap<string, XmlMember>
  /** True if other members are allowed, of any shape. */
  readonly isOpen: boolean
}

/** A member of an object. */
interface XmlMember {
  readonly key: string
  /** The content of its start tag; see `memberTag`. */
  readonly tag: string
  readonly shape: XmlShape
}

/** A value without a schema: elements declare their type unless it is text. */
export const anyShape: XmlShape = { kind: 'any' }
/** An object without a schema. */
export const anyObject: XmlObject = { kind: 'object', members: new Map(), isOpen: true }

/** The schema of the links of a resource: in XML, `<links>` with a `<link rel="…">` for each. */
export const LinksSchema = Type.Unsafe<Readonly<Record<string, LinkRepresentation>>>({
  type: 'object',
  logical: 'links',
})

/** Compiles the XML form of a schema whose values are elements `name`. */
export const xmlShape = (schema: TSchema, name: string): XmlShape => convert(shapeOf(schema), name)

function convert(shape: Shape, name: string): XmlShape {
  switch (shape.kind) {
    case 'nullable':
      return convert(shape.of, name)
    case 'text':
    case 'instant':
      return { kind: 'string' }
    case 'enum':
      return { kind: 'string', values: shape.values }
    case 'integer':
    case 'number':
    case 'identifier':
    case 'money':
      return { kind: 'number' }
    case 'list': {
      const entry = entryNameOf(name, shape.schema.entry)
      return { kind: 'array', entry, items: convert(shape.items, entry) }
    }
    case 'object':
    case 'map':
    case 'amount':
      return objectShape(shape)
    case 'boolean':
    case 'links':
    case 'any':
      return { kind: shape.kind }
    case 'union': {
      // A list among objects declares its type.
      const object = shape.variants.find(({ kind }) => kind === 'map' || kind === 'object')
      const isTyped = shape.variants.some(({ kind }) => kind === 'list')
      return object && isTyped ? convert(object, name) : anyShape
    }
    default:
      return shape satisfies never
  }
}

function objectShape({ ignored = [], isOpen, ...object }: ObjectShape): XmlShape {
  const members = object.members.map(({ name: key, ...member }): XmlMember => {
    // Every object inherits such a member, so its absence could not be written.
    if (key in Object.prototype) throw new TypeError(`A member must not be named ${key}`)
    const shape = convert(member.shape, key)
    if (isOpen && shape.kind === 'links') {
      throw new TypeError('An object with additional properties cannot have links')
    }
    return { key, tag: shape.kind === 'links' ? 'links' : memberTag(key), shape }
  })
  const byTag = new Map(members.map((member) => [member.tag, member]))
  if (byTag.size < members.length) throw new TypeError('Two members have the same element')
  // A client may send back read-only members as it read them.
  for (const key of isOpen ? [] : [...ignored, '_links', 'links']) {
    const tag = memberTag(key)
    if (!byTag.has(tag)) byTag.set(tag, { key, tag, shape: { kind: 'ignored' } })
  }
  return { kind: 'object', members: byTag, isOpen }
}
