import type { TSchema } from 'typebox'
import type { LinkRepresentation } from '#http/message/link-representation.ts'
import { elementOf, entryNameOf, memberTag } from './names.ts'
import { anyObject, type XmlObject, type XmlShape, xmlShape } from './shape.ts'
import { escapeAttribute, escapeText, escapeUnwritable, isPlain, isUnwritable } from './text.ts'

/** Writes a JSON value as an XML document. */
export type XmlWriter = (value: unknown) => string

/** Appends a value as one element to the text before it. */
type Append = (before: string, value: unknown) => string

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

/**
 * Compiles a writer of the JSON values of a schema. Members that the schema does not allow are
 * omitted. A value of another type than that of the schema gets a `type` attribute, so that the
 * reader of the same schema returns an equal value.
 */
export function compileXmlWriter(schema: TSchema, root: string): XmlWriter {
  const append = compile(xmlShape(schema, root), root)
  return (value) => append(declaration, value)
}

function compile(shape: XmlShape, tag: string): Append {
  switch (shape.kind) {
    case 'string':
      return shape.values ? enumWriter(tag, shape.values) : stringWriter(tag)
    case 'number':
      return numberWriter(tag)
    case 'boolean':
      return booleanWriter(tag)
    case 'array':
      return arrayWriter(tag, compile(shape.items, shape.entry))
    case 'object':
      return shape.isOpen ? anyObjectWriter(tag, shape) : objectWriter(tag, shape)
    case 'links':
      return linksWriter(tag)
    default:
      return (before, value) => appendAny(before, tag, value)
  }
}

const maxMemoized = 1000
const maxMemoizedLength = 64

/** Caches the results of a function of names; bounded, because clients name members too. */
function memoize(compute: (name: string) => string): (name: string) => string {
  const results = new Map<string, string>()
  return (name) => {
    const known = results.get(name)
    if (known !== undefined) return known
    const result = compute(name)
    if (results.size < maxMemoized && name.length <= maxMemoizedLength) results.set(name, result)
    return result
  }
}

const endTag = memoize((tag) => `</${elementOf(tag)}>`)

function stringWriter(tag: string): Append {
  const open = `<${tag}>`
  const close = endTag(tag)
  return (before, value) => {
    if (typeof value !== 'string') return appendTyped(before, tag, value)
    return isPlain(value) ? before + open + value + close : appendText(before, tag, value)
  }
}

/** Writes the element of each value of an enum once. */
function enumWriter(tag: string, values: readonly string[]): Append {
  const elements = new Map(values.map((value) => [value, appendText('', tag, value)]))
  const append = stringWriter(tag)
  return (before, value) => {
    const element = elements.get(value as string)
    return element === undefined ? append(before, value) : before + element
  }
}

function appendText(before: string, tag: string, text: string): string {
  return isUnwritable(text)
    ? `${before}<${tag} escaped="true">${escapeText(escapeUnwritable(text))}${endTag(tag)}`
    : `${before}<${tag}>${escapeText(text)}${endTag(tag)}`
}

function numberWriter(tag: string): Append {
  const open = `<${tag}>`
  const close = endTag(tag)
  return (before, value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? before + open + value + close
      : appendTyped(before, tag, value)
}

function booleanWriter(tag: string): Append {
  const open = `<${tag}>`
  const close = endTag(tag)
  return (before, value) =>
    typeof value === 'boolean' ? before + open + value + close : appendTyped(before, tag, value)
}

function arrayWriter(tag: string, appendEntry: Append): Append {
  const open = `<${tag}>`
  const close = endTag(tag)
  return (before, value) => {
    if (!Array.isArray(value)) return appendTyped(before, tag, value)
    let xml = before + open
    for (const entry of value) xml = appendEntry(xml, entry)
    return xml + close
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectWriter(tag: string, { members }: XmlObject): Append {
  const open = `<${tag}>`
  const close = endTag(tag)
  const appenders = [...members.values()]
    .filter(({ shape }) => shape.kind !== 'ignored')
    .map((member) => ({ key: member.key, append: compile(member.shape, member.tag) }))
  return (before, value) => {
    if (!isObject(value)) return appendTyped(before, tag, value)
    let xml = before + open
    for (const { key, append } of appenders) {
      const member = value[key]
      if (member !== undefined) xml = append(xml, member)
    }
    return xml + close
  }
}

function anyObjectWriter(tag: string, { members }: XmlObject): Append {
  const appenders = new Map(
    [...members.values()].map((member) => [member.key, compile(member.shape, member.tag)]),
  )
  return (before, value) => {
    if (!isObject(value)) return appendTyped(before, tag, value)
    let xml = `${before}<${tag}>`
    for (const key in value) {
      const member = value[key]
      const append = appenders.get(key)
      if (append && member !== undefined) xml = append(xml, member)
      else if (member !== undefined) xml = appendAny(xml, tagOf(key), member)
    }
    return xml + endTag(tag)
  }
}

const linkStart = memoize((rel) => `<link rel="${escapeAttribute(rel)}" href="`)
const methodAttribute = memoize((method) => `" method="${escapeAttribute(method)}`)
const tagOf = memoize(memberTag)

function linksWriter(tag: string): Append {
  const open = `<${tag}>`
  const close = endTag(tag)
  const appendBody = anyObjectWriter('body', anyObject)
  return (before, value) => {
    if (!isObject(value)) return appendTyped(before, tag, value)
    let xml = before + open
    for (const rel in value) {
      const { href, method, body } = value[rel] as LinkRepresentation
      xml += linkStart(rel) + escapeAttribute(href)
      if (method !== undefined) xml += methodAttribute(method)
      xml = body === undefined ? `${xml}"/>` : `${appendBody(`${xml}">`, body)}</link>`
    }
    return xml + close
  }
}

const appendAny = (before: string, tag: string, value: unknown): string =>
  typeof value === 'string' ? appendText(before, tag, value) : appendTyped(before, tag, value)

/** Appends null, or a value of another type than its schema, with that type. */
function appendTyped(before: string, tag: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return appendText(before, `${tag} type="string"`, value)
    case 'boolean':
      return `${before}<${tag} type="boolean">${value}${endTag(tag)}`
    case 'number':
      if (!Number.isFinite(value)) break
      return `${before}<${tag} type="number">${value}${endTag(tag)}`
    case 'object':
      if (value === null) break
      return Array.isArray(value)
        ? appendAnyArray(before, tag, value)
        : anyObjectWriter(`${tag} type="object"`, anyObject)(before, value)
    case 'undefined':
      break
    default:
      throw new TypeError(`A ${typeof value} is no JSON value`)
  }
  return `${before}<${tag} nil="true"/>`
}

function appendAnyArray(before: string, tag: string, entries: readonly unknown[]): string {
  const entryTag = entryNameOf(elementOf(tag))
  let xml = `${before}<${tag} type="array">`
  for (const entry of entries) xml = appendAny(xml, entryTag, entry)
  return xml + endTag(tag)
}
