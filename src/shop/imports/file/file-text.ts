import { withoutSeparatorLine } from './separator.ts'
import { readAsUtf8, type TextEncoding } from './text-encoding.ts'

/** The text of a file as it is received, and what its bytes say of it. */
export class FileText {
  readonly #content: AsyncIterable<Buffer>
  /** Known once the text has been read. */
  encoding: TextEncoding = 'UTF-8'
  /** What a line at the beginning says to stand between cells; undefined without one. */
  separator: string | undefined

  constructor(content: AsyncIterable<Buffer>) {
    this.#content = content
  }

  /** Yields the text as UTF-8, without a byte order mark and what a line says of the separator. */
  read(): AsyncGenerator<Buffer> {
    const text = readAsUtf8(this.#content, (encoding) => {
      this.encoding = encoding
    })
    return withoutSeparatorLine(text, (separator) => {
      this.separator = separator
    })
  }
}
