import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { compressStream } from '#http/codec/content-coding/compress.ts'
import { etagWithCoding, negotiateContentCoding } from '#http/codec/content-coding/negotiate.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import { callerKey } from '#http/rate-limit/counters.ts'
import type { SendDownload } from '#http/response/send.ts'
import type { Snapshot } from '#store/database.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import {
  createOpenResponses,
  type Holder,
  isClosed,
  type OpenResponseLimits,
} from './open-responses.ts'
import { createReadingPace, type MinPace, type ReadingPace } from './reading-pace.ts'

/** The limits of exports. */
export interface ExportLimits extends OpenResponseLimits {
  /** How long an export may take, in milliseconds: its snapshot keeps the database from cleaning up. */
  readonly maxMs: number
  /** What holds for callers who are no administrators. */
  readonly strangers: MinPace & {
    readonly maxMs: number
    readonly perNetwork: number
    /** A client that was waited for as long as this, in milliseconds, gives way to others. */
    readonly patienceMs: number
  }
}

/** Returns the limits on a database: one writer of SQLite fills the log that an export keeps. */
export const exportLimitsOn = (kind: 'sqlite' | 'postgres'): ExportLimits => ({
  stalledMs: 30 * secondMs,
  perCaller: 2,
  total: 4,
  maxMs: 10 * minuteMs,
  strangers: {
    maxMs: kind === 'sqlite' ? minuteMs : 10 * minuteMs,
    perNetwork: 1,
    bytesPerSecond: 16 * 1024,
    maxBehindMs: 10 * secondMs,
    patienceMs: 20 * secondMs,
  },
})

const checkIntervalMs = secondMs

/** Opens what an export is read from; `onLost` is called if it ends early. */
export type OpenSnapshot = (onLost: () => void) => Promise<Snapshot>

/** What exports are made of. */
export interface ExportOptions {
  readonly openSnapshot: OpenSnapshot
  /** The limits; those on SQLite by default. */
  readonly exportLimits?: ExportLimits
  /** Whether the exports of a network are counted. */
  readonly countsNetworks: boolean
}

/** The exports of a server. */
export interface Exports {
  /**
   * Sends a collection from one snapshot, as fast as the client reads it. The connection breaks where
   * that takes too long, the client reads too slowly, the server stops or a read fails. Half of the
   * places are for administrators only.
   */
  readonly send: SendDownload
  /** Breaks all exports off and accepts no further ones. */
  readonly end: () => void
}

/** Creates the registry of exports; `isAdmitted` returns whether the caller of an exchange still is. */
export function createExports(
  isAdmitted: (exchange: AdmittedExchange) => Promise<boolean>,
  { openSnapshot, exportLimits: limits = exportLimitsOn('sqlite'), countsNetworks }: ExportOptions,
): Exports {
  const open = createOpenResponses(limits)
  const holdersOf = (exchange: AdmittedExchange): readonly Holder[] => {
    const { actor, request } = exchange
    const { perCaller: limit } = limits
    const caller = { key: callerKey(exchange), limit, message: 'detail.export_limit' } as const
    if (actor.role === 'admin' || !countsNetworks) return [caller]
    const key = `network ${siteOf(networkOf(request.ip))}`
    return [
      caller,
      { key, limit: limits.strangers.perNetwork, message: 'detail.network_export_limit' },
    ]
  }
  return {
    send: async (reply, download, exchange, setHeaders) => {
      const response = reply.raw
      const isAdmin = exchange.actor.role === 'admin'
      const total = isAdmin ? limits.total : Math.ceil(limits.total / 2)
      const breakOff = () => response.destroy()
      const pace = createReadingPace(limits.strangers)
      const givesWay = () => !isAdmin && pace.waitedMs() > limits.strangers.patienceMs
      open.add(response, { holders: holdersOf(exchange), end: breakOff, givesWay }, total)
      const deadline = setTimeout(breakOff, isAdmin ? limits.maxMs : limits.strangers.maxMs)
      const paceCheck = setInterval(() => {
        if (!isAdmin && pace.isTooSlow()) breakOff()
      }, checkIntervalMs)
      for (const timer of [deadline, paceCheck]) {
        timer.unref()
        response.once('close', () => clearTimeout(timer))
      }
      const text = readInSnapshot(() => openSnapshot(breakOff), download)
      const first = await text.next()
      setHeaders()
      if (reply.request.method === 'HEAD' || isClosed(response)) {
        await text.return()
        // Without a stream, Fastify would send a length of 0.
        return reply.send(Readable.from([]))
      }
      const parts = rest(reply, first, text, () => isAdmitted(exchange))
      return sendParts(reply, paced(parts, pace), exchange.representation)
    },
    end: open.end,
  }
}

/** The text of a download from a snapshot, which is closed at its end. */
async function* readInSnapshot(
  openSnapshot: () => Promise<Snapshot>,
  download: Parameters<SendDownload>[1],
): AsyncGenerator<string | Buffer, void> {
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
  first: IteratorResult<string | Buffer, void>,
  text: AsyncGenerator<string | Buffer, void>,
  isAdmitted: () => Promise<boolean>,
): AsyncGenerator<string | Buffer, void> {
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
    if (!isClosed(raw)) {
      request.log.error({ err: error, request_id: request.id }, 'export failed')
    }
    raw.destroy()
  } finally {
    await text.return()
  }
}

/** Measures how long the client takes for each part. */
async function* paced(
  parts: AsyncGenerator<string | Buffer, void>,
  pace: ReadingPace,
): AsyncGenerator<string | Buffer, void> {
  for await (const part of parts) {
    pace.begin(part)
    yield part
    pace.end()
  }
}

function sendParts(
  reply: FastifyReply,
  parts: AsyncGenerator<string | Buffer, void>,
  { format }: AdmittedExchange['representation'],
): FastifyReply {
  const source = Readable.from(parts, { objectMode: false })
  const { coding } = negotiateContentCoding(reply.request.headers['accept-encoding'])
  // A workbook is compressed.
  if (coding === undefined || format === 'xlsx') return reply.send(source)
  // Fastify handles the end of what it sends, by an error too.
  const encoded = pipeline(source, compressStream(coding), () => undefined)
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', etagWithCoding(etag, coding))
  return reply.header('content-encoding', coding).send(encoded)
}
