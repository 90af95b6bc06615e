import { isUtf8 } from 'node:buffer'
import type { Parser } from 'csv-parse'
import { createMessage } from '#i18n/message.ts'
import {
  countLines,
  type FileRecord,
  leadingBreaks,
  maxRecordBytes,
  type Position,
  UnreadableFileError,
} from './records.ts'

interface ParsedRecord {
  readonly cells: readonly string[]
  /** The bytes up to the end of the record. */
  readonly bytes: number
}

/** The bytes that the parser has got, from the end of the last record on. */
class Window {
  #chunks: Buffer[] = []
  #start = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  /** Returns the bytes up to a position, and forgets them. */
  takeUntil(end: number): Buffer {
    const taken: Buffer[] = []
    while (this.#start < end) {
      const [first] = this.#chunks
      if (!first) throw new RangeError('The parser is ahead of its input')
      const part = first.subarray(0, end - this.#start)
      taken.push(part)
      this.#start += part.length
      if (part.length === first.length) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(part.length)
    }
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken)
  }
}

/** Creates a parser that calls `onRecord` for each record while it is written to. */
async function createParser(
  delimiter: string,
  onRecord: (parsed: ParsedRecord) => void,
): Promise<Parser> {
  // Loaded on demand, since most servers import nothing.
  const { parse } = await import('csv-parse')
  return parse({
    delimiter,
    max_record_size: maxRecordBytes,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quote in an unquoted cell, as in 5" pipe, stands for itself.
    relax_quotes: true,
    skip_empty_lines: true,
    on_record: (cells: readonly string[], { bytes }) => {
      onRecord({ cells, bytes })
      return null
    },
  }).resume()
}

/** True if a cell of a record goes on after its closing quote, which the parser above takes as a part of it. */
async function goesOnAfterQuote(
  raw: Buffer,
  cells: readonly string[],
  delimiter: string,
): Promise<boolean> {
  if (!cells.some((cell) => cell.startsWith('"'))) return false
  const { parse } = await import('csv-parse/sync')
  try {
    parse(raw, { delimiter, relax_column_count: true })
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'CSV_INVALID_CLOSING_QUOTE'
  }
}

type Failure = Error | null | undefined

/** Parses bytes. Yields the records that end in each chunk, also those before an error, which it throws. */
async function* parseRecords(
  chunks: AsyncIterable<Buffer>,
  separator: string,
): AsyncGenerator<ParsedRecord> {
  let found: ParsedRecord[] = []
  const parser = await createParser(separator, (parsed) => found.push(parsed))
  // The callbacks of `write` and `end` get the error too.
  parser.on('error', () => undefined)
  for await (const chunk of chunks) {
    const failure = await new Promise<Failure>((resolve) => parser.write(chunk, resolve))
    const records = found
    found = []
    yield* records
    if (failure) throw failure
  }
  const failure = await new Promise<Failure>((resolve) => parser.end(resolve))
  yield* found
  if (failure) throw failure
}

/**
 * Reads the records of a CSV file (RFC 4180) with this separator from a position on. Throws an UnreadableFileError for a
 * record that is too long and for a quote that is not closed.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  from: Position,
  separator: string,
): AsyncGenerator<FileRecord<readonly string[]>> {
  const window = new Window()
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      window.push(chunk)
      yield chunk
    }
  }
  let next = from
  try {
    for await (const { cells, bytes } of parseRecords(watched(), separator)) {
      const raw = window.takeUntil(bytes)
      const emptyLines = countLines(raw.subarray(0, leadingBreaks(raw)))
      const line = next.line + emptyLines
      // Before the header, they are what a line has left that named the separator.
      const record = next.byte === 0 ? 1 : next.record + emptyLines
      const end = { byte: from.byte + bytes, line: next.line + countLines(raw) }
      next = { ...end, record: record + 1 }
      const hasStrayQuote = await goesOnAfterQuote(raw, cells, separator)
      yield { line, record, value: cells, isUtf8: isUtf8(raw), hasStrayQuote, next }
    }
  } catch (error) {
    throw unreadable(error as NodeJS.ErrnoException, next.line)
  }
}

function unreadable(error: NodeJS.ErrnoException, line: number): Error {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return new UnreadableFileError(
        createMessage('import.long_record', { line, limit: maxRecordBytes }),
      )
    case 'CSV_QUOTE_NOT_CLOSED':
      return new UnreadableFileError(createMessage('import.open_quote', { line }))
    default:
      return error
  }
}
