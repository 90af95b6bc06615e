import { isAscii, isUtf8 } from 'node:buffer'

/** How the text of a file is encoded, by its name in the registry of IANA. */
export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'windows-1252'

const marks = [
  { encoding: 'UTF-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'UTF-16LE', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'UTF-16BE', bytes: Buffer.from([0xfe, 0xff]) },
] as const
const longestMark = 3

/** The number of bytes of the UTF-8 sequence that this byte begins; 1 if it begins none (RFC 3629). */
function sequenceLength(byte: number): number {
  if (byte >= 0xf0) return 4
  if (byte >= 0xe0) return 3
  return byte >= 0xc2 ? 2 : 1
}

/**
 * Returns the encoding of bytes without a mark by their first character that is not of ASCII: in windows-1252 it is
 * hardly ever a valid sequence of UTF-8. Undefined if there is none, or its end is still to come.
 */
function encodingOf(bytes: Buffer, isEnd: boolean): TextEncoding | undefined {
  if (isAscii(bytes)) return undefined
  const at = bytes.findIndex((byte) => byte > 0x7f)
  const end = at + sequenceLength(bytes[at] ?? 0)
  if (end > bytes.length && !isEnd) return undefined
  return isUtf8(bytes.subarray(at, end)) ? 'UTF-8' : 'windows-1252'
}

/**
 * Yields a text as UTF-8 without a byte order mark. It is UTF-16 by its mark, windows-1252 where it is no UTF-8.
 * Tells `onEncoding` which at its end.
 */
export async function* readAsUtf8(
  content: AsyncIterable<Buffer>,
  onEncoding: (encoding: TextEncoding) => void,
): AsyncGenerator<Buffer> {
  let encoding: TextEncoding | undefined
  let decoder: TextDecoder | undefined
  let isStart = true
  let held: Buffer = Buffer.alloc(0)
  const decode = (bytes: Buffer, isEnd: boolean): Buffer => {
    let text = bytes
    if (isStart) {
      const mark = marks.find((each) => bytes.subarray(0, each.bytes.length).equals(each.bytes))
      encoding = mark?.encoding
      text = bytes.subarray(mark?.bytes.length ?? 0)
      isStart = false
    }
    encoding ??= encodingOf(text, isEnd)
    if (encoding === undefined && !isAscii(text)) {
      held = Buffer.from(text)
      return Buffer.alloc(0)
    }
    if (encoding !== undefined && encoding !== 'UTF-8') decoder ??= new TextDecoder(encoding)
    return decoder ? Buffer.from(decoder.decode(text, { stream: !isEnd })) : text
  }
  for await (const chunk of content) {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    held = Buffer.alloc(0)
    if (isStart && bytes.length < longestMark) held = Buffer.from(bytes)
    else yield decode(bytes, false)
  }
  const rest = held
  yield decode(rest, true)
  onEncoding(encoding ?? 'UTF-8')
}
