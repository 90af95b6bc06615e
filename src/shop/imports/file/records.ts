import type { Message } from '#i18n/message.ts'

/** The maximum size of a file, and of what is made of it, in bytes. */
export const maxFileBytes = 2 ** 30

/** The maximum size of a record, in bytes. */
export const maxRecordBytes = 1_048_576

/** A position in a file: that of a record, or its end. */
export interface Position {
  readonly byte: number
  /** The number of the line, from 1. */
  readonly line: number
  /** The number of the record, from 1, as spreadsheets number rows: the header and empty lines count. */
  readonly record: number
  /** Of the records from there on that are a unit, the rows that come before; none if undefined. */
  readonly rows?: number
}

/** The beginning of a file. */
export const fileStart: Position = { byte: 0, line: 1, record: 1 }

/** A record of a file. */
export interface FileRecord<Value> {
  /** The line where the record begins. */
  readonly line: number
  /** The number of the record; see `Position`. */
  readonly record: number
  readonly value: Value
  /** False if the record is not UTF-8. */
  readonly isUtf8: boolean
  /** True if a cell goes on after its closing quote. */
  readonly hasStrayQuote?: boolean
  /** Where the next record begins. */
  readonly next: Position
}

/** A file that cannot be read any further. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  readonly detail: Message

  constructor(detail: Message, options?: ErrorOptions) {
    super(detail.key, options)
    this.detail = detail
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Counts the line breaks in bytes: CRLF, LF or CR. */
export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === lineFeed) lines += 1
    else if (byte === carriageReturn && bytes[at + 1] !== lineFeed) lines += 1
  }
  return lines
}

/** Returns the number of bytes of the line breaks at the beginning. */
export function leadingBreaks(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === lineFeed || bytes[at] === carriageReturn) at += 1
  return at
}
