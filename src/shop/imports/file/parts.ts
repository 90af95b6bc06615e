import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** The number of bytes of a part before it is compressed. */
const partBytes = 262_144

/** Cuts a stream of bytes into parts of at most 256 KiB. A part is valid until the next one is asked for. */
export async function* splitIntoParts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const part = Buffer.allocUnsafeSlow(partBytes)
  let length = 0
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(part, length, at)
      length += copied
      at += copied
      if (length < partBytes) continue
      yield part
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}

/** Returns the stored form of a part: compressed, since most files repeat themselves, and as a text. */
export const encodePart = (bytes: Buffer): string => zstdCompressSync(bytes).toString('base64')

/** Returns the bytes of a stored part. */
export const decodePart = (data: string): Buffer =>
  zstdDecompressSync(Buffer.from(data, 'base64'), { maxOutputLength: partBytes })
