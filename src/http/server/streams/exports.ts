import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { compressStream } from '#http/codec/content-coding/compress.ts'
import { negotiateContentCoding } from '#http/codec/content-coding/negotiate.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { callerKey } from '#http/rate-limit/counters.ts'
import type { SendDownload } from '#http/response/send.ts'
import type { Snapshot } from '#store/database.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import { createOpenResponses, isClosed, type OpenResponseLimits } from './open-responses.ts'

/** The limits of exports. */
export interface ExportLimits extends OpenResponseLimits {
  /** How long an export may take, in milliseconds: its snapshot keeps the database from cleaning up. */
  readonly maxMs: number
}

const defaultExportLimits: ExportLimits = {
  stalledMs: 30 * secondMs,
  perCaller: 2,
  total: 4,
  maxMs: 10 * minuteMs,
}

const checkIntervalMs = secondMs

/** The exports of a server. */
export interface Exports {
  /**
   * Sends a collection from one snapshot, as fast as the client reads it. The connection breaks where
   * that takes too long, the client stops reading, the server stops or a read fails. Half of the places
   * are for administrators only.
   */
  readonly send: SendDownload
  /** Breaks all exports off and accepts no further ones. */
  readonly end: () => void
}

/** Creates the registry of exports; `isAdmitted` returns whether the caller of an exchange still is. */
export function createExports(
  isAdmitted: (exchange: AdmittedExchange) => Promise<boolean>,
  openSnapshot: () => Promise<Snapshot>,
  limits: ExportLimits = defaultExportLimits,
): Exports {
  const open = createOpenResponses(limits, 'detail.export_limit')
  return {
    send: async (reply, download, exchange, setHeaders) => {
      const response = reply.raw
      const total = exchange.actor.role === 'admin' ? limits.total : Math.ceil(limits.total / 2)
      const breakOff = () => response.destroy()
      open.add(response, { caller: callerKey(exchange), end: breakOff }, total)
      const deadline = setTimeout(breakOff, limits.maxMs)
      deadline.unref()
      response.once('close', () => clearTimeout(deadline))
      const text = readInSnapshot(openSnapshot, download)
      const first = await text.next()
      setHeaders()
      if (reply.request.method === 'HEAD' || isClosed(response)) {
        await text.return()
        // Without a stream, Fastify would send a length of 0.
        return reply.send(Readable.from([]))
      }
      return sendText(
        reply,
        rest(reply, first, text, () => isAdmitted(exchange)),
      )
    },
    end: open.end,
  }
}

/** The text of a download from a snapshot, which is closed at its end. */
async function* readInSnapshot(
  openSnapshot: () => Promise<Snapshot>,
  download: Parameters<SendDownload>[1],
): AsyncGenerator<string, void> {
  const { db, close } = await openSnapshot()
  try {
    yield* download(db)
  } finally {
    await close()
  }
}

/**
 * The text from its first part on; the caller is checked once a second. An error or the end of the
 * credential breaks the connection, so that no client takes it for the end.
 */
async function* rest(
  { raw, request }: FastifyReply,
  first: IteratorResult<string, void>,
  text: AsyncGenerator<string, void>,
  isAdmitted: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  let checkedAtMs = performance.now()
  try {
    if (first.done) return
    yield first.value
    for await (const part of text) {
      if (performance.now() - checkedAtMs > checkIntervalMs) {
        if (!(await isAdmitted())) return void raw.destroy()
        checkedAtMs = performance.now()
      }
      yield part
    }
  } catch (error) {
    request.log.error({ err: error, request_id: request.id }, 'export failed')
    raw.destroy()
  } finally {
    await text.return()
  }
}

function sendText(reply: FastifyReply, text: AsyncGenerator<string, void>): FastifyReply {
  const source = Readable.from(text, { objectMode: false })
  const { coding } = negotiateContentCoding(reply.request.headers['accept-encoding'])
  if (coding === undefined) return reply.send(source)
  // Fastify handles the end of what it sends, by an error too.
  const encoded = pipeline(source, compressStream(coding), () => undefined)
  return reply.header('content-encoding', coding).send(encoded)
}
