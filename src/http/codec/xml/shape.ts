import { type TSchema, Type } from 'typebox'
import type { LinkRepresentation } from '#http/response/links.ts'
import { memberTag, singularOf } from './names.ts'

/** What a schema says about the XML form of its values. */
export type XmlShape =
  | { readonly kind: 'any' | 'number' | 'boolean' | 'links' | 'link' | 'skipped' }
  | { readonly kind: 'string'; readonly words?: readonly string[] | undefined }
  | { readonly kind: 'array'; readonly entry: string; readonly of: XmlShape }
  | XmlObject

/** An object: its members by the name of their element. */
export interface XmlObject {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, XmlMember>
  /** True where further members may be there, of any shape. */
  readonly open: boolean
}

/** A member of an object, and the element that it is. */
export interface XmlMember {
  readonly key: string
  readonly tag: string
  readonly shape: XmlShape
}

/** What nothing is known about: its elements say themselves what is no text. */
export const anything: XmlShape = { kind: 'any' }
/** An object that nothing is known about. */
export const anyObject: XmlObject = { kind: 'object', members: new Map(), open: true }

/** The schema of the links of a resource: in XML, `<links>` with one `<link rel="…">` each. */
export const LinksPart = Type.Unsafe<Readonly<Record<string, LinkRepresentation>>>({
  type: 'object',
  logical: 'links',
})

interface Schema {
  readonly type?: string
  readonly logical?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly ignored?: readonly string[]
  readonly additionalProperties?: boolean
  readonly enum?: readonly string[]
  readonly items?: Schema
  /** What one entry of an array is called, where the array's name has no singular. */
  readonly entry?: string
}

/** Compiles the XML form of a schema whose value is the element `name`. */
export const xmlShape = (schema: TSchema, name: string): XmlShape => convert(schema as Schema, name)

function convert(schema: Schema, name: string): XmlShape {
  const [first] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (first) return schema.anyOf?.length === 2 ? convert(first, name) : anything
  if (schema.logical === 'links') return { kind: 'links' }
  switch (schema.type) {
    case 'string':
      return { kind: 'string', words: schema.enum }
    case 'boolean':
    case 'number':
      return { kind: schema.type }
    case 'integer':
      return { kind: 'number' }
    case 'array':
      return arrayShape(schema.items ?? {}, singularOf(name, schema.entry))
    case 'object':
      return objectShape(schema)
    default:
      return anything
  }
}

/** The shape of an array whose entries are elements of this name. */
export const arrayShape = (items: TSchema, entry: string): XmlShape => ({
  kind: 'array',
  entry,
  of: convert(items as Schema, entry),
})

function objectShape({ properties = {}, ignored = [], additionalProperties }: Schema): XmlShape {
  const open = additionalProperties === true
  const members = Object.entries(properties).map(([key, property]): XmlMember => {
    // An object would seem to have such a member where it has none.
    if (key in Object.prototype) throw new TypeError(`No member may be called ${key}`)
    const shape = convert(property, key)
    if (open && shape.kind === 'links') throw new TypeError('An open object has no links')
    return { key, tag: shape.kind === 'links' ? 'links' : memberTag(key), shape }
  })
  const byTag = new Map(members.map((member) => [member.tag, member]))
  if (byTag.size < members.length) throw new TypeError('Two members of an object are one element')
  // What was read can be sent back, and nobody looks at it.
  for (const key of open ? [] : [...ignored, '_links', 'links']) {
    const tag = memberTag(key)
    if (!byTag.has(tag)) byTag.set(tag, { key, tag, shape: { kind: 'skipped' } })
  }
  return { kind: 'object', members: byTag, open }
}
