import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyInstance, RequestPayload } from 'fastify'
import { createMessage } from '#i18n/message.ts'
import { Problem } from '#values/problem.ts'

// What follows the end is nobody's to explain: an intermediary may take it for another request.
const strictly = { rejectGarbageAfterEnd: true }

type Decoder = ReturnType<typeof createGunzip> & { receivedEncodedLength?: number }

const decoders: Readonly<Record<string, () => Decoder>> = {
  gzip: () => createGunzip(strictly),
  'x-gzip': () => createGunzip(strictly),
  deflate: () => createInflate(strictly),
  br: () => createBrotliDecompress(strictly),
}
const taken = 'gzip, deflate, br'

/** The code of the error of a body that is not in the coding that it names. */
export const undecodable = 'BODY_UNDECODABLE'

/**
 * Decodes bodies in gzip, deflate and br while they arrive, and no further than `limit` bytes, of
 * which the framework refuses more; any other coding is refused with 415/4152.
 */
export function acceptCodings(app: FastifyInstance, limit: number): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const sent = headers['content-encoding']
    if (sent === undefined) return done(null, payload)
    const coding = sent.trim().toLowerCase()
    if (coding === '' || coding === 'identity') return done(null, payload)
    const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.() : undefined
    if (decoder) return done(null, decode(payload, decoder, limit))
    const detail = createMessage('detail.content_coding', { supported: taken })
    done(new Problem('4152', detail, { headers: { 'accept-encoding': taken } }))
  })
}

function decode(payload: RequestPayload, decoder: Decoder, limit: number): RequestPayload {
  let decoded = 0
  decoder.receivedEncodedLength = 0
  payload.on('data', (chunk: Buffer) => {
    decoder.receivedEncodedLength = (decoder.receivedEncodedLength ?? 0) + chunk.length
  })
  payload.on('error', (error) => decoder.destroy(error))
  decoder.on('error', (error: NodeJS.ErrnoException) => {
    error.code = undecodable
  })
  decoder.on('data', (chunk: Buffer) => {
    decoded += chunk.length
    if (decoded <= limit) return
    // The reader is told of this chunk too and refuses; nothing more is to be decoded.
    payload.unpipe(decoder)
    decoder.destroy()
  })
  return payload.pipe(decoder)
}
