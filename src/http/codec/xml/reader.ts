import { setImmediate as nextTurn } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import type { TSchema } from 'typebox'
import { problem } from '#values/problem.ts'
import {
  addChild,
  addText,
  childElement,
  type Element,
  endElement,
  rootElement,
} from './element.ts'
import { type XmlShape, xmlShape } from './shape.ts'

/** Reads an XML document as a public JSON value; a long one in slices, of which a promise is returned. */
export type XmlReader = (text: string) => unknown

/** How deep elements may be nested. */
export const xmlDepthLimit = 32
/** How many elements and attributes a document may have. */
export const xmlNodeLimit = 10_000
// How many UTF-16 code units are read before other requests get their turn.
const xmlSliceLength = 65_536

/**
 * Compiles the reader of documents whose values have a schema: the value is what JSON.parse would
 * have made of the JSON form, held to the schema by nobody yet. What is not well-formed XML 1.0,
 * has a document type or a processing instruction, or is no form of a JSON value is refused with
 * 4002. With `onlyRoot`, the root must have this name.
 */
export function compileXmlReader(
  schema: TSchema,
  root: string,
  { onlyRoot = false }: { readonly onlyRoot?: boolean } = {},
): XmlReader {
  const shape = xmlShape(schema, root)
  return (text) => read(text, shape, onlyRoot ? root : undefined)
}

function read(text: string, shape: XmlShape, root: string | undefined): unknown {
  const { parser, value } = openParser(shape, root)
  if (text.length > xmlSliceLength) return readInSlices(parser, text).then(value)
  parser.write(text).close()
  return value()
}

async function readInSlices(parser: SaxesParser, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += xmlSliceLength) {
    parser.write(text.slice(at, at + xmlSliceLength))
    await nextTurn()
  }
  parser.close()
}

/** A parser, and the value of the document once it is closed. */
function openParser(shape: XmlShape, root: string | undefined) {
  const parser = new SaxesParser()
  const open: Element[] = []
  let value: unknown
  failRemaining(parser)
  limitNodes(parser)
  parser.on('opentag', ({ name, attributes }) => {
    const parent = open.at(-1)
    if (open.length === xmlDepthLimit) {
      throw problem('4002', 'detail.xml_depth', { limit: xmlDepthLimit })
    }
    if (!parent && root !== undefined && name !== root) {
      throw problem('4002', 'detail.xml_root', { name: root })
    }
    open.push(
      parent ? childElement(parent, name, attributes) : rootElement(name, attributes, shape),
    )
  })
  const take = (content: string): void => {
    const element = open.at(-1)
    if (element) addText(element, content)
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', () => {
    const element = open.pop()
    if (!element) return
    const parent = open.at(-1)
    if (parent) addChild(parent, element, endElement(element))
    else value = endElement(element)
  })
  return { parser, value: () => value }
}

/** A small body can be many elements, which take far longer to read than its bytes. */
function limitNodes(parser: SaxesParser): void {
  let count = 0
  const countOne = (): void => {
    count += 1
    if (count > xmlNodeLimit) throw problem('4002', 'detail.xml_size', { limit: xmlNodeLimit })
  }
  parser.on('opentagstart', countOne)
  parser.on('attribute', countOne)
}

/** Refuses what is malformed, and all that could make a document stand for another. */
function failRemaining(parser: SaxesParser): void {
  parser.on('error', () => {
    const { line, column } = parser
    throw problem('4002', 'detail.malformed_xml', { line, column })
  })
  const forbidden = (): never => {
    throw problem('4002', 'detail.xml_markup')
  }
  parser.on('doctype', forbidden)
  parser.on('processinginstruction', forbidden)
  parser.on('xmldecl', ({ version = '1.0', encoding = 'UTF-8' }) => {
    if (version !== '1.0' || !/^(utf-8|us-ascii)$/i.test(encoding)) {
      throw problem('4002', 'detail.xml_declaration')
    }
  })
}
