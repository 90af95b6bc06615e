import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyInstance, RequestPayload } from 'fastify'
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
 * Decompresses request bodies in gzip, deflate and br (RFC 9110 section 8.4). Stops after
 * `limitBytes`, so that Fastify answers 413. Throws 415/4152 for another content coding.
 */
export function decompressBodies(app: FastifyInstance, limitBytes: number): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const sent = headers['content-encoding']
    if (sent === undefined) return done(null, payload)
    const coding = sent.trim().toLowerCase()
    if (coding === '' || coding === 'identity') return done(null, payload)
    const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.() : undefined
    if (decoder) return done(null, decompress(payload, decoder, limitBytes))
    const detail = createMessage('detail.content_coding', { supported })
    done(new Problem('4152', detail, { headers: { 'accept-encoding': supported } }))
  })
}

function decompress(payload: RequestPayload, decoder: Decoder, limitBytes: number): RequestPayload {
  let decodedBytes = 0
  decoder.receivedEncodedLength = 0
  payload.on('data', (chunk: Buffer) => {
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
