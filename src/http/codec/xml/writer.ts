import type { TSchema } from 'typebox'
import type { LinkRepresentation } from '#http/response/links.ts'
import { remember } from './memoize.ts'
import { elementOf, memberTag, singularOf } from './names.ts'
import { anyObject, type XmlObject, type XmlShape, xmlShape } from './shape.ts'
import { escapeAttribute, escapeText, escapeUnwritable, isPlain, isUnwritable } from './text.ts'

/** Writes a public JSON value as an XML document. */
export type XmlWriter = (value: unknown) => string

/** Writes a value as one element at the end of what is written already. */
type Write = (written: string, value: unknown) => string

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

/**
 * Compiles the writer of the values of a schema, as JSON.stringify would take them. What a closed
 * object of the schema does not name is left out; whatever else is not as the schema says is
 * written with a `type`, so that the reader of the same schema gets the same value.
 */
export function compileXmlWriter(schema: TSchema, root: string): XmlWriter {
  const write = compile(xmlShape(schema, root), root)
  return (value) => write(declaration, value)
}

function compile(shape: XmlShape, tag: string): Write {
  switch (shape.kind) {
    case 'string':
      return shape.words ? wordWriter(tag, shape.words) : stringWriter(tag)
    case 'number':
      return numberWriter(tag)
    case 'boolean':
      return booleanWriter(tag)
    case 'array':
      return arrayWriter(tag, compile(shape.of, shape.entry))
    case 'object':
      return shape.open ? openWriter(tag, shape) : objectWriter(tag, shape)
    case 'links':
      return linksWriter(tag)
    default:
      return (written, value) => writeAny(written, tag, value)
  }
}

const closing = remember((tag) => `</${elementOf(tag)}>`)

function stringWriter(tag: string): Write {
  const open = `<${tag}>`
  const close = closing(tag)
  return (written, value) => {
    if (typeof value !== 'string') return writeOther(written, tag, value)
    return isPlain(value) ? written + open + value + close : writeText(written, tag, value)
  }
}

/** One of a few words is written once for all. */
function wordWriter(tag: string, words: readonly string[]): Write {
  const elements = new Map(words.map((word) => [word, writeText('', tag, word)]))
  const write = stringWriter(tag)
  return (written, value) => {
    const element = elements.get(value as string)
    return element === undefined ? write(written, value) : written + element
  }
}

function writeText(written: string, tag: string, text: string): string {
  return isUnwritable(text)
    ? `${written}<${tag} escaped="true">${escapeText(escapeUnwritable(text))}${closing(tag)}`
    : `${written}<${tag}>${escapeText(text)}${closing(tag)}`
}

function numberWriter(tag: string): Write {
  const open = `<${tag}>`
  const close = closing(tag)
  return (written, value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? written + open + value + close
      : writeOther(written, tag, value)
}

function booleanWriter(tag: string): Write {
  const open = `<${tag}>`
  const close = closing(tag)
  return (written, value) =>
    typeof value === 'boolean' ? written + open + value + close : writeOther(written, tag, value)
}

function arrayWriter(tag: string, writeEntry: Write): Write {
  const open = `<${tag}>`
  const close = closing(tag)
  return (before, value) => {
    if (!Array.isArray(value)) return writeOther(before, tag, value)
    let written = before + open
    for (const entry of value) written = writeEntry(written, entry)
    return written + close
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectWriter(tag: string, { members }: XmlObject): Write {
  const open = `<${tag}>`
  const close = closing(tag)
  const steps = [...members.values()]
    .filter(({ shape }) => shape.kind !== 'skipped')
    .map((member) => ({ key: member.key, write: compile(member.shape, member.tag) }))
  return (before, value) => {
    if (!isObject(value)) return writeOther(before, tag, value)
    let written = before + open
    for (const { key, write } of steps) {
      const member = value[key]
      if (member !== undefined) written = write(written, member)
    }
    return written + close
  }
}

function openWriter(tag: string, { members }: XmlObject): Write {
  const steps = new Map(
    [...members.values()].map(({ key, tag: own, shape }) => [key, compile(shape, own)]),
  )
  return (before, value) => {
    if (!isObject(value)) return writeOther(before, tag, value)
    let written = `${before}<${tag}>`
    for (const key in value) {
      const member = value[key]
      const write = steps.get(key)
      if (write && member !== undefined) written = write(written, member)
      else if (member !== undefined) written = writeAny(written, tagOf(key), member)
    }
    return written + closing(tag)
  }
}

const linkTo = remember((rel) => `<link rel="${escapeAttribute(rel)}" href="`)
const doing = remember((method) => `" method="${escapeAttribute(method)}`)
const tagOf = remember(memberTag)

function linksWriter(tag: string): Write {
  const open = `<${tag}>`
  const close = closing(tag)
  const writeBody = openWriter('body', anyObject)
  return (before, value) => {
    if (!isObject(value)) return writeOther(before, tag, value)
    let written = before + open
    for (const rel in value) {
      const { href, method, body } = value[rel] as LinkRepresentation
      written += linkTo(rel) + escapeAttribute(href)
      if (method !== undefined) written += doing(method)
      written = body === undefined ? `${written}"/>` : `${writeBody(`${written}">`, body)}</link>`
    }
    return written + close
  }
}

const writeAny = (written: string, tag: string, value: unknown): string =>
  typeof value === 'string' ? writeText(written, tag, value) : writeOther(written, tag, value)

/** Writes what the schema does not tell, with its type. */
function writeOther(written: string, tag: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return writeText(written, `${tag} type="string"`, value)
    case 'boolean':
      return `${written}<${tag} type="boolean">${value}${closing(tag)}`
    case 'number':
      if (!Number.isFinite(value)) break
      return `${written}<${tag} type="number">${value}${closing(tag)}`
    case 'object':
      if (value === null) break
      return Array.isArray(value)
        ? writeAnyArray(written, tag, value)
        : openWriter(`${tag} type="object"`, anyObject)(written, value)
    case 'undefined':
      break
    default:
      throw new TypeError(`JSON has no ${typeof value}`)
  }
  return `${written}<${tag} nil="true"/>`
}

function writeAnyArray(before: string, tag: string, entries: readonly unknown[]): string {
  const entryTag = singularOf(elementOf(tag))
  let written = `${before}<${tag} type="array">`
  for (const entry of entries) written = writeAny(written, entryTag, entry)
  return written + closing(tag)
}
