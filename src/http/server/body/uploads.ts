import { createHash } from 'node:crypto'
import { pipeline as connect, Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import { maxDecodedBytes, type UploadedBody } from '#http/declare/uploaded-body.ts'
import type { Exchange } from '#http/exchange/exchange.ts'
import { readMediaType } from '#http/message/media-type.ts'
import type { RoutePipeline } from '#http/pipeline/compile.ts'
import type { Place } from '#http/rate-limit/network-places.ts'
import { beginWork, type NetworkWork } from '#http/rate-limit/network-work.ts'
import type { Senders } from '#http/response/send.ts'
import { releaseBody } from '#http/server/connection/body-budget.ts'
import { extendBodyTime } from '#http/server/connection/body-time.ts'
import { serveRoute } from '#http/server/serve-route.ts'
import { Problem, problem } from '#values/problem.ts'
import { digestMismatch, readContentDigest } from './content-digest.ts'
import { createDecoder } from './decompress.ts'
import { mediaTypeProblem, requireUtf8 } from './request-body.ts'

/** The bytes that an upload must send within `requestMs`. */
const progressBytes = 262_144

type Upload = NonNullable<Route['upload']>

/** Registers a route whose handler reads the body as it arrives. */
export function serveUpload(
  app: FastifyInstance,
  route: Route & { readonly upload?: Upload },
  pipeline: RoutePipeline,
  start: (request: FastifyRequest) => Exchange,
  senders: Senders,
  work: NetworkWork | undefined,
): void {
  const { upload, method } = route
  if (!upload) throw new TypeError(`${route.path} takes no upload`)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, payload, done) => {
      try {
        const contentType = request.headers['content-type'] ?? ''
        const { type, parameters } = readMediaType(contentType)
        if (!Object.hasOwn(upload.mediaTypes, type)) throw mediaTypeProblem(method, upload)
        requireUtf8(parameters)
        const types = { contentType, mediaType: type }
        done(null, createUploadedBody(request, payload, types, upload, work))
      } catch (error) {
        done(error as Problem)
      }
    })
    serveRoute(scope, route, pipeline, start, senders, work)
  })
}

/** Prepares the body of a request. Throws 400/4001 for a malformed Content-Digest and 415/4152. */
function createUploadedBody(
  request: FastifyRequest,
  payload: RequestPayload,
  types: Pick<UploadedBody, 'contentType' | 'mediaType'>,
  { limitBytes }: Upload,
  work: NetworkWork | undefined,
): UploadedBody {
  const decoder = createDecoder(request)
  const expected = readContentDigest(request.headers['content-digest']?.toString())
  const fingerprint = createHash('sha256')
  const { exchange } = request
  const begin = async () =>
    exchange && 'actor' in exchange ? beginWork(work, exchange) : undefined
  let advancedBytes = 0
  let sentBytes = 0
  let digest: string | undefined
  /** The body as it was sent: the digests are of the encoded content (RFC 9530 section 2). */
  async function* readEncoded(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
        sentBytes += chunk.length
        advancedBytes += chunk.length
        if (advancedBytes >= progressBytes) {
          extendBodyTime(request.raw)
          advancedBytes = 0
        }
        fingerprint.update(chunk)
        for (const { hash } of expected) hash.update(chunk)
        yield chunk
        releaseBody(request.raw)
      }
    } catch (error) {
      throw problemOf(error as NodeJS.ErrnoException)
    } finally {
      // The connection can be used again once the rest has been discarded.
      payload.resume()
    }
    for (const { hash, value } of expected) {
      if (!hash.digest().equals(value)) throw digestMismatch()
    }
    digest = fingerprint.digest('base64url')
  }
  return {
    ...types,
    content: inPlaces(
      readContent(readEncoded(), decoder, () => maxDecodedBytes(sentBytes, limitBytes)),
      begin,
    ),
    digest: () => {
      if (digest === undefined) throw new TypeError('The body has not been read to its end')
      return digest
    },
  }
}

/** A part of an upload is in progress while it is worked on, not while the client sends the next one. */
async function* inPlaces(
  content: AsyncIterable<Buffer>,
  begin: () => Promise<Place | undefined>,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const place = await begin()
    try {
      yield chunk
    } finally {
      place?.end()
    }
  }
}

/** Decodes a body. Throws 413/4131 above the limit, and 400/4002 for a malformed coding. */
async function* readContent(
  encoded: AsyncIterable<Buffer>,
  decoder: ReturnType<typeof createDecoder>,
  limit: () => number,
): AsyncGenerator<Buffer> {
  // The loop below throws what the callback would get.
  const decoded = decoder ? connect(Readable.from(encoded), decoder, () => undefined) : encoded
  let bytes = 0
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      bytes += chunk.length
      const limitBytes = limit()
      if (bytes > limitBytes) throw problem('4131', 'detail.body_limit', { limit: limitBytes })
      yield chunk
    }
  } catch (error) {
    if (!decoder || error instanceof Problem) throw error
    throw problem('4002', 'detail.malformed_coding')
  }
}

/** The problem of a body that ends before its end. Another error is a bug. */
function problemOf(error: NodeJS.ErrnoException): Error {
  const isGone = error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  return isGone ? problem('4002', 'detail.bad_request') : error
}
