import { BrotliDecompress, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import { createMessage } from '#i18n/message.ts'
import { Problem } from '#values/problem.ts'

// An intermediary may take bytes after the end for another request.
const options = { rejectGarbageAfterEnd: true }

type Decoder = ReturnType<typeof createGunzip> & { receivedEncodedLength?: number }

const decoders: Readonly<Record<string, () => Decoder>> = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  deflate: () => createInflate(options),
  br: () => createBrotliDecompress(options),
}
const supported = 'gzip, deflate, br'

/** The error code of a body that is not in the content coding it declares. */
export const undecodableBodyCode = 'BODY_UNDECODABLE'

/**
 * Returns the decoder of the content coding of a request body; undefined without one. Throws 415/4152
 * for another content coding than gzip, deflate and br.
 */
export function createDecoder({ headers }: Pick<FastifyRequest, 'headers'>): Decoder | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return undefined
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.() : undefined
  if (decoder) return decoder
  const detail = createMessage('detail.content_coding', { supported })
  throw new Problem('4152', detail, { headers: { 'accept-encoding': supported } })
}

/**
 * Decompresses request bodies in gzip, deflate and br (RFC 9110 section 8.4). Stops after the limit
 * of the route, so that Fastify answers 413. An upload decompresses its body itself, as it is read.
 */
export function decompressBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.exchange?.route.upload) return done(null, payload)
    try {
      const decoder = createDecoder(request)
      done(null, decoder ? decompress(payload, decoder, request.routeOptions.bodyLimit) : payload)
    } catch (error) {
      done(error as Problem)
    }
  })
}

/**
 * True for a first byte of a body in br that asks for a window of more than 4 MiB (RFC 7932 section 9.1), of which
 * encoders use no more unless told to: the decoder fills it before it returns anything.
 */
const hasLargeWindow = ([byte = 0]: Buffer): boolean => (byte & 0b1101) === 0b1101

function decompress(payload: RequestPayload, decoder: Decoder, limitBytes: number): RequestPayload {
  const isBrotli = decoder instanceof BrotliDecompress
  let decodedBytes = 0
  decoder.receivedEncodedLength = 0
  payload.on('data', (chunk: Buffer) => {
    if (isBrotli && decoder.receivedEncodedLength === 0 && hasLargeWindow(chunk)) {
      payload.unpipe(decoder)
      decoder.destroy(new Error('a window of more than 4 MiB'))
    }
    decoder.receivedEncodedLength = (decoder.receivedEncodedLength ?? 0) + chunk.length
  })
  payload.on('error', (error) => decoder.destroy(error))
  decoder.on('error', (error: NodeJS.ErrnoException) => {
    error.code = undecodableBodyCode
  })
  decoder.on('data', (chunk: Buffer) => {
    decodedBytes += chunk.length
    if (decodedBytes <= limitBytes) return
    // Fastify gets this chunk too, which exceeds its limit.
    payload.unpipe(decoder)
    decoder.destroy()
  })
  return payload.pipe(decoder)
}
