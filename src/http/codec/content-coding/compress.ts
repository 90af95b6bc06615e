import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Exchange } from '#http/pipeline/exchange.ts'
import type { Guard } from '#http/pipeline/step.ts'
import { problem } from '#values/problem.ts'
import { acceptedCodingOf, type Coding } from './negotiate.ts'

/** Below this many bytes, what a coding saves is not worth its time. */
export const minBytes = 1024
/** Above this many bytes, another thread codes while this one serves others. */
const minBytesForThread = 32_768

type Bytes = Buffer<ArrayBufferLike>

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = zlib.constants
const brotli = (level: number) => ({ params: { [BROTLI_PARAM_QUALITY]: level } })
const zstd = (level: number) => ({ params: { [ZSTD_c_compressionLevel]: level } })

// Low levels: more would be saved, but not on what is sent once.
const now: Readonly<Record<Coding, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => zlib.zstdCompressSync(bytes, zstd(1)),
  br: (bytes) => zlib.brotliCompressSync(bytes, brotli(1)),
  gzip: (bytes) => zlib.gzipSync(bytes, { level: 1 }),
  deflate: (bytes) => zlib.deflateSync(bytes, { level: 1 }),
}
const threads = {
  zstd: promisify<Bytes, zlib.ZstdOptions, Bytes>(zlib.zstdCompress),
  br: promisify<Bytes, zlib.BrotliOptions, Bytes>(zlib.brotliCompress),
  gzip: promisify<Bytes, zlib.ZlibOptions, Bytes>(zlib.gzip),
  deflate: promisify<Bytes, zlib.ZlibOptions, Bytes>(zlib.deflate),
}

/** `quick` for what is sent once, else for what is kept. */
function onThread(bytes: Bytes, coding: Coding, quick: boolean): Promise<Bytes> {
  if (coding === 'zstd') return threads.zstd(bytes, zstd(quick ? 1 : 9))
  if (coding === 'br') return threads.br(bytes, brotli(quick ? 1 : 6))
  return threads[coding](bytes, { level: quick ? 1 : 6 })
}

const bytesOf = (payload: string | Buffer): Bytes =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

/** Codes what is sent once; at once where it is small. */
export function compress(payload: string | Buffer, coding: Coding): Bytes | Promise<Bytes> {
  const bytes = bytesOf(payload)
  return bytes.length < minBytesForThread ? now[coding](bytes) : onThread(bytes, coding, true)
}

/** Codes what is sent many times: slower and smaller. */
export const compressHarder = (payload: string | Buffer, coding: Coding): Promise<Bytes> =>
  onThread(bytesOf(payload), coding, false)

/** Throws 406/4061 where Accept-Encoding excludes every coding and the plain response. */
export const contentCodingGuard: Guard<Exchange> = {
  name: 'content coding',
  prepare: () => ({
    fragment: {
      requestHeaders: ['Accept-Encoding'],
      everyHeaders: ['Vary'],
      problems: ['4061'],
      responseHeaders: ['Content-Encoding'],
    },
    check: ({ request }) => {
      const { coding, plain } = acceptedCodingOf(request.headers['accept-encoding'])
      if (coding === undefined && !plain) throw problem('4061', 'detail.no_coding')
    },
  }),
}
