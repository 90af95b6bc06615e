import type { Message } from '#i18n/message.ts'
import { type Problem, problem } from '#values/problem.ts'
import { memberTag, singularOf } from './names.ts'
import { anyObject, anything, arrayShape, type XmlShape } from './shape.ts'
import { unescapeUnwritable } from './text.ts'

/** The attributes of an element, by name. */
export type Attributes = Readonly<Record<string, string>>

/** An element being read. */
export interface Element {
  readonly name: string
  /** The member of the object around it that it is. */
  readonly key: string
  readonly shape: XmlShape
  readonly attributes: Attributes
  text: string
  /** What the elements inside come to, once there is one. */
  parts: unknown[] | Record<string, unknown> | undefined
  /** The members met so far, those included that nobody looks at. */
  readonly met: Set<string>
}

const refuse = (key: Message['key'], values: Message['values']): Problem =>
  problem('4002', key, values)

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/** Starts the element that a document is; throws a Refusal for attributes that it cannot have. */
export const rootElement = (name: string, attributes: Attributes, shape: XmlShape): Element =>
  begin(name, '', shape, attributes)

/** Starts an element inside another; throws a Refusal where it has no place there. */
export function childElement(parent: Element, name: string, attributes: Attributes): Element {
  const { shape } = parent
  if (shape.kind === 'skipped') return begin(name, '', shape, attributes)
  if (isNull(parent) || !isBlank(parent.text)) {
    throw refuse('detail.xml_mixed', { name: parent.name })
  }
  parent.text = ''
  if (shape.kind === 'array') {
    parent.parts ??= []
    if (name !== shape.entry) throw refuse('detail.xml_element', { name, parent: parent.name })
    return begin(name, '', shape.of, attributes)
  }
  parent.parts ??= {}
  const child = memberElement(parent, name, attributes)
  if (parent.met.has(child.key)) throw refuse('detail.xml_repeated', { name })
  parent.met.add(child.key)
  return child
}

function memberElement({ shape, name: parent }: Element, name: string, attributes: Attributes) {
  if (shape.kind === 'links' || shape.kind === 'link') {
    const inner = shape.kind === 'links' ? 'link' : 'body'
    if (name !== inner) throw refuse('detail.xml_element', { name, parent })
    return inner === 'body'
      ? begin(name, name, anyObject, attributes)
      : begin(name, required(name, attributes, 'rel'), { kind: 'link' }, attributes)
  }
  const written = name === 'member' ? attributes['name'] : undefined
  const key = written === undefined ? name : unescapeUnwritable(written)
  const members = shape.kind === 'object' ? shape.members : undefined
  const member = members?.get(key) ?? members?.get(memberTag(key))
  if (member) return begin(name, member.key, member.shape, attributes)
  return begin(name, key, anything, attributes)
}

const flags = ['nil', 'escaped']
const linkAttributes = ['rel', 'href', 'method']

function begin(name: string, key: string, expected: XmlShape, attributes: Attributes): Element {
  const shape = shapeTold(name, expected, attributes['type'])
  if (shape.kind !== 'skipped') {
    for (const attribute in attributes) {
      const value = attributes[attribute]
      const isKnown =
        shape.kind === 'link'
          ? linkAttributes.includes(attribute)
          : attribute === 'type' ||
            (flags.includes(attribute) && (value === 'true' || value === 'false')) ||
            (attribute === 'name' && name === 'member')
      if (!isKnown) throw refuse('detail.xml_attribute', { name, attribute })
    }
  }
  return { name, key, shape, attributes, text: '', parts: undefined, met: new Set() }
}

/** An element may say of what type it is, where the schema does not or says otherwise. */
function shapeTold(name: string, expected: XmlShape, type: string | undefined): XmlShape {
  if (type === undefined || type === expected.kind || expected.kind === 'skipped') return expected
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: type }
    case 'object':
      return anyObject
    case 'array':
      return arrayShape({}, singularOf(name))
    default:
      throw refuse('detail.xml_attribute', { name, attribute: 'type' })
  }
}

function required(name: string, attributes: Attributes, attribute: string): string {
  const value = attributes[attribute]
  if (value === undefined) throw refuse('detail.xml_attribute_missing', { name, attribute })
  return unescapeUnwritable(value)
}

/** Adds text to an element; throws a Refusal where it has elements too. */
export function addText(element: Element, text: string): void {
  if (element.shape.kind === 'skipped') return
  if (!element.parts) element.text += text
  else if (!isBlank(text)) throw refuse('detail.xml_mixed', { name: element.name })
}

/** Puts the value of an element that has ended where it belongs in the one around it. */
export function addChild({ parts }: Element, { key, shape }: Element, value: unknown): void {
  if (Array.isArray(parts)) parts.push(value)
  else if (parts && shape.kind !== 'skipped') {
    // An assignment to __proto__ would make no member.
    Object.defineProperty(parts, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
}

const isNull = ({ attributes }: Element): boolean => attributes['nil'] === 'true'

/** The value of an element that has ended; a text that is not of its type stays a text. */
export function endElement(element: Element): unknown {
  const { shape, name, attributes, parts } = element
  if (shape.kind === 'link') return linkOf(element)
  if (isNull(element)) {
    if (!isBlank(element.text)) throw refuse('detail.xml_mixed', { name })
    return null
  }
  if (parts) return parts
  const text = attributes['escaped'] === 'true' ? unescapeUnwritable(element.text) : element.text
  switch (shape.kind) {
    case 'number':
      return numberIn(text) ?? text
    case 'boolean':
      return booleans.get(text.trim()) ?? text
    case 'array':
      return isBlank(text) ? [] : text
    case 'object':
    case 'links':
      return isBlank(text) ? {} : text
    default:
      return text
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** Reads a number in the notation of JSON. */
const numberIn = (text: string): number | undefined =>
  /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : undefined

function linkOf({ name, attributes, parts }: Element) {
  const method = attributes['method']
  return {
    href: required(name, attributes, 'href'),
    ...(method === undefined ? {} : { method: unescapeUnwritable(method) }),
    ...parts,
  }
}
