import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { type TSchema, Type } from 'typebox'
import { parseDecimal } from '#http/codec/wire-text.ts'
import { shapeOf } from '#schema/shape.ts'
import { problem } from '#values/problem.ts'
import {
  addChild,
  addText,
  childElement,
  type Element,
  endElement,
  rootElement,
} from './element.ts'
import { pluralOf } from './names.ts'
import { type XmlShape, xmlShape } from './shape.ts'

/** Parses an XML document into a JSON value; returns a promise of it for a long document. */
export type XmlReader = (text: string) => unknown

/** The maximum depth of nested elements. */
export const maxXmlDepth = 32
/** The maximum number of elements and attributes of a document, and of its marks and references. */
export const maxXmlNodes = 10_000
// UTF-16 code units that are parsed in one turn of the event loop.
const sliceLength = 16_384
// What is not counted as a node: CDATA sections, comments and references, of which the parser reports none.
const events = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|&/g

/**
 * Compiles a reader of the values of a schema. It returns what `JSON.parse` returns for the JSON
 * form, and does not validate it. Throws 400/4002 for malformed XML 1.0, a document type, a
 * processing instruction, or XML that represents no JSON value or takes long to parse. `onlyRoot` requires the root
 * element to be named `root`; with `takesList`, it may also have the plural name, and is a list of such elements.
 */
export function compileXmlReader(
  schema: TSchema,
  root: string,
  {
    onlyRoot = false,
    takesList = false,
  }: { readonly onlyRoot?: boolean; readonly takesList?: boolean } = {},
): XmlReader {
  const plural = pluralOf(root)
  const list =
    takesList && ([plural, xmlShape(Type.Array(schema, { entry: root }), plural)] as const)
  const shapes = new Map([[root, xmlShape(schema, root)], ...(list ? [list] : [])])
  const readNumbers = numberReader(schema)
  const withNumbers = (value: unknown) =>
    Array.isArray(value) ? value.map(readNumbers) : readNumbers(value)
  return (text) => {
    const value = parse(text, (name) => shapes.get(onlyRoot ? name : root), root)
    return value instanceof Promise ? value.then(withNumbers) : withNumbers(value)
  }
}

/** Returns what reads the texts that a sibling field says to be numbers, which XML does not tell apart. */
function numberReader(schema: TSchema): (value: unknown) => unknown {
  const shape = shapeOf(schema)
  const members = 'members' in shape ? shape.members : []
  const numbers = members.flatMap(({ name, shape: { schema } }) =>
    schema.numberIf ? [{ name, ...schema.numberIf }] : [],
  )
  if (numbers.length === 0) return (value) => value
  return (value) => {
    const read = { ...(value as Readonly<Record<string, unknown>>) }
    for (const { name, field, is } of numbers) {
      const text = read[name]
      if (read[field] === is && typeof text === 'string') read[name] = parseDecimal(text) ?? text
    }
    return read
  }
}

/** Returns the shape of the root element of this name; undefined for one that is not allowed. */
type ShapeOfRoot = (name: string) => XmlShape | undefined

function parse(text: string, shapeOfRoot: ShapeOfRoot, root: string): unknown {
  requireFewEvents(text)
  const { parser, value } = createParser(shapeOfRoot, root)
  if (text.length > sliceLength) return parseInSlices(parser, text).then(value)
  parser.write(text).close()
  return value()
}

async function parseInSlices(parser: SaxesParser, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += sliceLength) {
    parser.write(text.slice(at, at + sliceLength))
    await nextEventLoopTurn()
  }
  parser.close()
}

/** Returns a parser, and a function that returns the value of the document once it is closed. */
function createParser(shapeOfRoot: ShapeOfRoot, root: string) {
  const parser = new SaxesParser()
  const open: Element[] = []
  let value: unknown
  rejectUnsupported(parser)
  limitNodes(parser)
  parser.on('opentag', ({ name, attributes }) => {
    const parent = open.at(-1)
    if (open.length === maxXmlDepth) {
      throw problem('4002', 'detail.xml_depth', { limit: maxXmlDepth })
    }
    if (parent) {
      open.push(childElement(parent, name, attributes))
      return
    }
    const shape = shapeOfRoot(name)
    if (!shape) throw problem('4002', 'detail.xml_root', { name: root })
    open.push(rootElement(name, attributes, shape))
  })
  const append = (text: string): void => {
    const element = open.at(-1)
    if (element) addText(element, text)
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', () => {
    const element = open.pop()
    if (!element) return
    const parent = open.at(-1)
    if (parent) addChild(parent, element, endElement(element))
    else value = endElement(element)
  })
  return { parser, value: () => value }
}

/** Returns a function to be called for each node; the call beyond the limit throws 400/4002. */
function nodeCounter(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > maxXmlNodes) throw problem('4002', 'detail.xml_size', { limit: maxXmlNodes })
  }
}

/** A small document with many references would take long to parse, and the parser reports none. */
function requireFewEvents(text: string): void {
  const countEvent = nodeCounter()
  for (const _ of text.matchAll(events)) countEvent()
}

/** A small document with many elements would take long to parse. */
function limitNodes(parser: SaxesParser): void {
  const countNode = nodeCounter()
  parser.on('opentagstart', countNode)
  parser.on('attribute', countNode)
}

/** Rejects malformed documents, and markup that could change or include content. */
function rejectUnsupported(parser: SaxesParser): void {
  parser.on('error', () => {
    const { line, column } = parser
    throw problem('4002', 'detail.malformed_xml', { line, column })
  })
  const reject = (): never => {
    throw problem('4002', 'detail.xml_markup')
  }
  parser.on('doctype', reject)
  parser.on('processinginstruction', reject)
  parser.on('xmldecl', ({ version = '1.0', encoding = 'UTF-8' }) => {
    if (version !== '1.0' || !/^(utf-8|us-ascii)$/i.test(encoding)) {
      throw problem('4002', 'detail.xml_declaration')
    }
  })
}
