import type { Message } from '#i18n/message.ts'
import { type Problem, problem } from '#values/problem.ts'
import { entryNameOf, memberTag } from './names.ts'
import { anyObject, anyShape, type XmlShape } from './shape.ts'
import { unescapeUnwritable } from './text.ts'

type Attributes = Readonly<Record<string, string>>

/** An element whose end tag has not been read. */
export interface Element {
  readonly name: string
  /** Its key in the parent object; empty for the root. */
  readonly key: string
  readonly shape: XmlShape
  readonly attributes: Attributes
  text: string
  /** The values of the child elements; undefined before the first one. */
  children: unknown[] | Record<string, unknown> | undefined
  /** The keys of the child elements, with those of ignored ones. */
  readonly keys: Set<string>
}

const xmlProblem = (key: Message['key'], values: Message['values']): Problem =>
  problem('4002', key, values)

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/** Creates the root element. Throws 400/4002 for an unknown attribute. */
export const rootElement = (name: string, attributes: Attributes, shape: XmlShape): Element =>
  createElement(name, '', shape, attributes)

/** Creates a child element. Throws 400/4002 if the parent cannot contain it. */
export function childElement(parent: Element, name: string, attributes: Attributes): Element {
  const { shape } = parent
  if (shape.kind === 'ignored') return createElement(name, '', shape, attributes)
  if (isNil(parent) || !isBlank(parent.text)) {
    throw xmlProblem('detail.xml_mixed', { name: parent.name })
  }
  parent.text = ''
  if (shape.kind === 'array') {
    parent.children ??= []
    if (name !== shape.entry) throw xmlProblem('detail.xml_element', { name, parent: parent.name })
    return createElement(name, '', shape.items, attributes)
  }
  parent.children ??= {}
  const child = memberElement(parent, name, attributes)
  if (parent.keys.has(child.key)) throw xmlProblem('detail.xml_repeated', { name })
  parent.keys.add(child.key)
  return child
}

function memberElement({ shape, name: parent }: Element, name: string, attributes: Attributes) {
  if (shape.kind === 'links' || shape.kind === 'link') {
    const expected = shape.kind === 'links' ? 'link' : 'body'
    if (name !== expected) throw xmlProblem('detail.xml_element', { name, parent })
    return expected === 'body'
      ? createElement(name, name, anyObject, attributes)
      : createElement(name, requireAttribute(name, attributes, 'rel'), { kind: 'link' }, attributes)
  }
  const nameAttribute = name === 'member' ? attributes['name'] : undefined
  const key = nameAttribute === undefined ? name : unescapeUnwritable(nameAttribute)
  const members = shape.kind === 'object' ? shape.members : undefined
  const member = members?.get(key) ?? members?.get(memberTag(key))
  if (member) return createElement(name, member.key, member.shape, attributes)
  return createElement(name, key, anyShape, attributes)
}

const booleanAttributes = ['nil', 'escaped']
const linkAttributes = ['rel', 'href', 'method']

function createElement(
  name: string,
  key: string,
  schemaShape: XmlShape,
  attributes: Attributes,
): Element {
  const shape = declaredShape(name, schemaShape, attributes['type'])
  if (shape.kind !== 'ignored') {
    for (const attribute in attributes) {
      const value = attributes[attribute]
      const isKnown =
        shape.kind === 'link'
          ? linkAttributes.includes(attribute)
          : attribute === 'type' ||
            (booleanAttributes.includes(attribute) && (value === 'true' || value === 'false')) ||
            (attribute === 'name' && name === 'member')
      if (!isKnown) throw xmlProblem('detail.xml_attribute', { name, attribute })
    }
  }
  return { name, key, shape, attributes, text: '', children: undefined, keys: new Set() }
}

/** The attribute `type` overrides the type of the schema. */
function declaredShape(name: string, schemaShape: XmlShape, type: string | undefined): XmlShape {
  if (type === undefined || type === schemaShape.kind) return schemaShape
  if (schemaShape.kind === 'ignored') return schemaShape
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: type }
    case 'object':
      return anyObject
    case 'array':
      return { kind: 'array', entry: entryNameOf(name), items: anyShape }
    default:
      throw xmlProblem('detail.xml_attribute', { name, attribute: 'type' })
  }
}

function requireAttribute(name: string, attributes: Attributes, attribute: string): string {
  const value = attributes[attribute]
  if (value === undefined) throw xmlProblem('detail.xml_attribute_missing', { name, attribute })
  return unescapeUnwritable(value)
}

/** Adds text to an element. Throws 400/4002 if it has child elements. */
export function addText(element: Element, text: string): void {
  if (element.shape.kind === 'ignored') return
  if (!element.children) element.text += text
  else if (!isBlank(text)) throw xmlProblem('detail.xml_mixed', { name: element.name })
}

/** Adds the value of a child element to its parent. */
export function addChild({ children }: Element, { key, shape }: Element, value: unknown): void {
  if (Array.isArray(children)) children.push(value)
  else if (children && shape.kind !== 'ignored') {
    // Assigning __proto__ would set the prototype.
    Object.defineProperty(children, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
}

const isNil = ({ attributes }: Element): boolean => attributes['nil'] === 'true'

/** Returns the value of an element. A text that is not of the type of its schema stays a text. */
export function endElement(element: Element): unknown {
  const { shape, name, attributes, children } = element
  if (shape.kind === 'link') return linkOf(element)
  if (isNil(element)) {
    if (!isBlank(element.text)) throw xmlProblem('detail.xml_mixed', { name })
    return null
  }
  if (children) return children
  const text = attributes['escaped'] === 'true' ? unescapeUnwritable(element.text) : element.text
  switch (shape.kind) {
    case 'number':
      return parseNumber(text) ?? text
    case 'boolean':
      return parseBoolean(text) ?? text
    case 'array':
      return isBlank(text) ? [] : text
    case 'object':
    case 'links':
      return isBlank(text) ? {} : text
    default:
      return text
  }
}

const parseBoolean = (text: string): boolean | undefined => {
  const trimmed = text.trim()
  return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined
}

/** Parses a JSON number. */
const parseNumber = (text: string): number | undefined =>
  /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : undefined

function linkOf({ name, attributes, children }: Element) {
  const method = attributes['method']
  return {
    href: requireAttribute(name, attributes, 'href'),
    ...(method === undefined ? {} : { method: unescapeUnwritable(method) }),
    ...children,
  }
}
