import { type TSchema, Type } from 'typebox'
import type { LinkRepresentation } from '#http/message/link-representation.ts'
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

interface Schema {
  readonly type?: string
  readonly logical?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly ignored?: object
  readonly additionalProperties?: boolean | object
  readonly enum?: readonly string[]
  readonly items?: Schema
  /** The element name of an item of an array, if the name of the array is no plural. */
  readonly entry?: string
}

/** Compiles the XML form of a schema whose values are elements `name`. */
export const xmlShape = (schema: TSchema, name: string): XmlShape => convert(schema as Schema, name)

function convert(schema: Schema, name: string): XmlShape {
  const [variant] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (variant) return schema.anyOf?.length === 2 ? convert(variant, name) : anyShape
  if (schema.logical === 'links') return { kind: 'links' }
  switch (schema.type) {
    case 'string':
      return { kind: 'string', values: schema.enum }
    case 'boolean':
    case 'number':
      return { kind: schema.type }
    case 'integer':
      return { kind: 'number' }
    case 'array':
      return arrayShape(schema.items ?? {}, entryNameOf(name, schema.entry))
    case 'object':
      return objectShape(schema)
    default:
      return anyShape
  }
}

/** Returns the XML form of an array whose items are elements `entry`. */
export const arrayShape = (items: TSchema, entry: string): XmlShape => ({
  kind: 'array',
  entry,
  items: convert(items as Schema, entry),
})

function objectShape({ properties = {}, ignored = {}, additionalProperties }: Schema): XmlShape {
  const isOpen = typeof additionalProperties === 'object' || additionalProperties === true
  const members = Object.entries(properties).map(([key, property]): XmlMember => {
    // Every object inherits such a member, so its absence could not be written.
    if (key in Object.prototype) throw new TypeError(`A member must not be named ${key}`)
    const shape = convert(property, key)
    if (isOpen && shape.kind === 'links') {
      throw new TypeError('An object with additional properties cannot have links')
    }
    return { key, tag: shape.kind === 'links' ? 'links' : memberTag(key), shape }
  })
  const byTag = new Map(members.map((member) => [member.tag, member]))
  if (byTag.size < members.length) throw new TypeError('Two members have the same element')
  // A client may send back read-only members as it read them.
  for (const key of isOpen ? [] : [...Object.keys(ignored), '_links', 'links']) {
    const tag = memberTag(key)
    if (!byTag.has(tag)) byTag.set(tag, { key, tag, shape: { kind: 'ignored' } })
  }
  return { kind: 'object', members: byTag, isOpen }
}
