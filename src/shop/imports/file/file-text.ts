import { ndjsonType, xlsxType, xmlType } from '#http/message/media-type.ts'
import { readGoogleFeed } from './google-feed.ts'
import { withoutSeparatorLine } from './separator.ts'
import { readAsUtf8, type TextEncoding } from './text-encoding.ts'
import { readWorkbook } from './xlsx/read-workbook.ts'
import { brokenWorkbook } from './xlsx/read-xml.ts'

/** The first bytes of a ZIP archive, which a workbook is. */
const zipMark = Buffer.from('PK\x03\x04')

/** The text of a file as it is received, and what its bytes say of it. */
export class FileText {
  readonly #content: AsyncIterable<Buffer>
  readonly #mediaType: string
  /** Known once the text has been read. */
  encoding: TextEncoding = 'UTF-8'
  /** What a line at the beginning says to stand between cells; undefined without one. */
  separator: string | undefined
  /** True for a workbook, whatever its media type says: its first sheet is read as CSV. */
  isWorkbook = false

  constructor(content: AsyncIterable<Buffer>, mediaType: string) {
    this.#content = content
    this.#mediaType = mediaType
  }

  /** True for a feed of Google Merchant Center, whose items are read as CSV. */
  get isFeed(): boolean {
    return this.#mediaType === xmlType
  }

  /**
   * Yields the text as UTF-8, without a byte order mark and what a line says of the separator. Throws an
   * UnreadableFileError for a workbook that cannot be read.
   */
  async *read(): AsyncGenerator<Buffer> {
    const [start, content] = await peek(this.#content, zipMark.length)
    this.isWorkbook = this.#mediaType !== ndjsonType && start.equals(zipMark)
    if (this.isWorkbook) yield* readWorkbook(content)
    else if (this.#mediaType === xlsxType) throw brokenWorkbook()
    else if (this.isFeed) yield* readGoogleFeed(content)
    else yield* this.#readText(content)
  }

  #readText(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const text = readAsUtf8(content, (encoding) => {
      this.encoding = encoding
    })
    return withoutSeparatorLine(text, (separator) => {
      this.separator = separator
    })
  }
}

/** Returns the first bytes of a content, and the content as a whole. */
async function peek(
  content: AsyncIterable<Buffer>,
  length: number,
): Promise<readonly [Buffer, AsyncGenerator<Buffer>]> {
  const chunks = content[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < length) {
    const next = await chunks.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      yield start
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  return [start.subarray(0, length), whole()]
}
