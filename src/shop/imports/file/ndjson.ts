import { isUtf8 } from 'node:buffer'
import { createMessage } from '#i18n/message.ts'
import { type FileRecord, maxRecordBytes, type Position, UnreadableFileError } from './records.ts'

const lineFeed = 0x0a

/**
 * Reads the lines of an NDJSON file that are not blank, as texts, from a position on. Throws an
 * UnreadableFileError for a line that is too long.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  from: Position,
): AsyncGenerator<FileRecord<string>> {
  let { byte, line } = from
  let pending: Buffer[] = []
  let length = 0
  const take = (end: Buffer): Buffer => {
    const bytes = pending.length === 0 ? end : Buffer.concat([...pending, end])
    pending = []
    length = 0
    return bytes
  }
  const recordOf = (bytes: Buffer, breakBytes: number): FileRecord<string> => {
    const next = { byte: byte + bytes.length + breakBytes, line: line + 1, record: line + 1 }
    const text = bytes.toString()
    const record = { line, record: line, value: text, isUtf8: isUtf8(bytes), next }
    ;({ byte, line } = next)
    return record
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const record = recordOf(take(chunk.subarray(start, end)), 1)
      start = end + 1
      if (record.value.length > maxRecordBytes) throw tooLong(record.line)
      if (record.value.trim() !== '') yield record
    }
    if (start === chunk.length) continue
    pending.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > maxRecordBytes) throw tooLong(line)
  }
  if (length === 0) return
  const record = recordOf(take(Buffer.alloc(0)), 0)
  if (record.value.trim() !== '') yield record
}

const tooLong = (line: number): UnreadableFileError =>
  new UnreadableFileError(createMessage('import.long_record', { line, limit: maxRecordBytes }))
