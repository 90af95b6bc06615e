import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { ContentCoding } from './negotiate.ts'

/** Smaller bodies are sent without a content coding, which would save too little. */
export const minBytesToCompress = 1024
/** Bodies from this size on are compressed on another thread. */
const minBytesForThread = 32_768

type Bytes = Buffer<ArrayBufferLike>

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = zlib.constants
const brotli = (level: number) => ({ params: { [BROTLI_PARAM_QUALITY]: level } })
const zstd = (level: number) => ({ params: { [ZSTD_c_compressionLevel]: level } })

// The fastest levels: these bodies are sent once.
const compressSync: Readonly<Record<ContentCoding, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => zlib.zstdCompressSync(bytes, zstd(1)),
  br: (bytes) => zlib.brotliCompressSync(bytes, brotli(1)),
  gzip: (bytes) => zlib.gzipSync(bytes, { level: 1 }),
  deflate: (bytes) => zlib.deflateSync(bytes, { level: 1 }),
}
const compressAsync = {
  zstd: promisify<Bytes, zlib.ZstdOptions, Bytes>(zlib.zstdCompress),
  br: promisify<Bytes, zlib.BrotliOptions, Bytes>(zlib.brotliCompress),
  gzip: promisify<Bytes, zlib.ZlibOptions, Bytes>(zlib.gzip),
  deflate: promisify<Bytes, zlib.ZlibOptions, Bytes>(zlib.deflate),
}

function compressOnThread(
  bytes: Bytes,
  coding: ContentCoding,
  effort: 'fast' | 'small',
): Promise<Bytes> {
  const isFast = effort === 'fast'
  if (coding === 'zstd') return compressAsync.zstd(bytes, zstd(isFast ? 1 : 9))
  if (coding === 'br') return compressAsync.br(bytes, brotli(isFast ? 1 : 6))
  return compressAsync[coding](bytes, { level: isFast ? 1 : 6 })
}

const bytesOf = (body: string | Buffer): Bytes =>
  typeof body === 'string' ? Buffer.from(body) : body

/** Compresses a body that is sent once; synchronously below 32 KiB. */
export function compress(body: string | Buffer, coding: ContentCoding): Bytes | Promise<Bytes> {
  const bytes = bytesOf(body)
  return bytes.length < minBytesForThread
    ? compressSync[coding](bytes)
    : compressOnThread(bytes, coding, 'fast')
}

/** Compresses a body that is sent many times: slower than `compress`, and smaller. */
export const compressForReuse = (body: string | Buffer, coding: ContentCoding): Promise<Bytes> =>
  compressOnThread(bytesOf(body), coding, 'small')

/** Returns a stream that compresses text of any length; as fast as `compress`. */
export function compressStream(coding: ContentCoding): Transform {
  switch (coding) {
    case 'zstd':
      return zlib.createZstdCompress(zstd(1))
    case 'br':
      return zlib.createBrotliCompress(brotli(1))
    case 'gzip':
      return zlib.createGzip({ level: 1 })
    case 'deflate':
      return zlib.createDeflate({ level: 1 })
    default:
      return coding satisfies never
  }
}
