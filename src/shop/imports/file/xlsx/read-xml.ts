import { setImmediate as nextTurn } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { createMessage } from '#i18n/message.ts'
import { maxRecordBytes, UnreadableFileError } from '../records.ts'

/** What is done with the elements of a document of XML; names are without prefixes. */
export interface XmlHandlers {
  readonly onOpen: (
    name: string,
    attributes: Readonly<Record<string, string>>,
    isPrefixed: boolean,
  ) => void
  readonly onText?: (text: string) => void
  readonly onClose?: (name: string) => void
}

/** The bytes within which a document has a further tag, which bounds what the parser keeps. */
const maxBytesBetweenTags = 2 * maxRecordBytes

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The failure of a workbook that is not one, or not one that can be read. */
export const brokenWorkbook = (cause?: unknown): UnreadableFileError =>
  new UnreadableFileError(createMessage('import.broken_workbook'), { cause })

/** Parses a document of XML in turns of the event loop; yields after each of them. Throws an UnreadableFileError. */
export async function* readXml(
  chunks: AsyncIterable<Buffer>,
  { onOpen, onText, onClose }: XmlHandlers,
  broken = brokenWorkbook,
): AsyncGenerator<void> {
  const parser = new SaxesParser()
  let sinceTag = 0
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0
    onOpen(localName(name), attributes as Readonly<Record<string, string>>, name.includes(':'))
  })
  parser.on('closetag', ({ name }) => {
    sinceTag = 0
    onClose?.(localName(name))
  })
  const addText = (text: string) => onText?.(text)
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('error', (error) => {
    throw broken(error)
  })
  // Nothing that is read has one, and it could define entities.
  parser.on('doctype', () => {
    throw broken()
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    sinceTag += chunk.length
    parser.write(decoder.decode(chunk, { stream: true }))
    if (sinceTag > maxBytesBetweenTags) throw broken()
    yield
    await nextTurn()
  }
  parser.write(decoder.decode()).close()
  yield
}

/** Parses a whole document of XML. */
export async function readWholeXml(
  chunks: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const _ of readXml(chunks, handlers));
}
