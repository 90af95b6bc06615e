import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { Readable } from 'node:stream'
import { unavailableProblem } from '#values/problem.ts'
import { closeGracefully } from './graceful-close.ts'
import { hasBody } from './has-body.ts'

/** What the bodies of requests in progress may take in a process, in bytes of memory. */
export const budgetBytes = 256 * 1024 * 1024
/** A network may take this share of what the others have left. */
const shareOfRest = 1 / 3
/** What a piece of a body takes beside its bytes. */
export const pieceBytes = 512
/** A body of more pieces than this has at least `minMeanBytes` in each on average. */
export const freePieces = 256
export const minMeanBytes = 16

/** Bounds what bodies cost, by what arrives of them, read or not. */
export interface BodyBudget {
  /** Counts the body of a request for its network until its response is sent. */
  readonly watch: (request: IncomingMessage, response: ServerResponse, network: string) => void
  /** The bytes that the bodies in progress take. */
  readonly usedBytes: () => number
}

/** The body of a request in progress. */
interface WatchedBody {
  /** Gives back what it has taken for the parts of it that are processed already. */
  readonly release: () => void
  readonly receivedBytes: () => number
}

const bodies = new WeakMap<object, WatchedBody>()

/** Gives back what the body of a request has taken so far, since its reader keeps nothing of it. */
export const releaseBody = (request: object): void => bodies.get(request)?.release()

/** How much of the body of a request has arrived, read or not. */
export const receivedBytes = (request: object): number => bodies.get(request)?.receivedBytes() ?? 0

/**
 * Creates the budget of a process. A body in tiny pieces ends its connection; one beyond the budget
 * gets 503/5031, or ends its connection while nothing reads it.
 */
export function createBodyBudget(): BodyBudget {
  const byNetwork = new Map<string, number>()
  let total = 0
  const take = (network: string, bytes: number): void => {
    const taken = (byNetwork.get(network) ?? 0) + bytes
    if (taken > 0) byNetwork.set(network, taken)
    else byNetwork.delete(network)
    total += bytes
  }
  const isBeyond = (network: string, bytes: number): boolean =>
    (byNetwork.get(network) ?? 0) + bytes > (budgetBytes - total) * shareOfRest
  const watch: BodyBudget['watch'] = (request, response, network) => {
    if (!hasBody(request)) return
    let [held, pieces, bytes, isAnswered, isRejected] = [0, 0, 0, false, false]
    const release = (): void => {
      take(network, -held)
      held = 0
    }
    bodies.set(request, { release, receivedBytes: () => bytes })
    response.once('close', () => {
      isAnswered = true
      release()
    })
    onPiece(request, (length) => {
      if (isRejected) return false
      pieces += 1
      bytes += length
      const cost = length + pieceBytes
      if (pieces > freePieces && bytes < pieces * minMeanBytes) {
        isRejected = true
        endConnection(request)
      } else if (!isAnswered && isBeyond(network, cost)) {
        isRejected = true
        rejectBody(request, response)
      } else if (!isAnswered) {
        held += cost
        take(network, cost)
      }
      return !isRejected
    })
  }
  return { watch, usedBytes: () => total }
}

/** The stream of an HTTP/2 request; undefined for HTTP/1.1. */
const http2Stream = (request: IncomingMessage) =>
  (request as unknown as Partial<Http2ServerRequest>).stream

/** Calls `accept` with the length of each piece of a body as it arrives; a piece that it does not accept is dropped. */
function onPiece(request: IncomingMessage, accept: (length: number) => boolean): void {
  const body: Readable = http2Stream(request) ?? request
  const push = body.push.bind(body)
  body.push = (piece: Buffer | null) =>
    piece === null || accept(piece.length) ? push(piece) : true
}

function endConnection(request: IncomingMessage): void {
  const session = http2Stream(request)?.session
  if (session) session.destroy()
  else request.socket.destroy()
}

function rejectBody(request: IncomingMessage, response: ServerResponse): void {
  const isRead = request.listenerCount('error') > 0 && !response.headersSent
  if (!isRead) return void request.destroy()
  if (!http2Stream(request)) {
    response.setHeader('connection', 'close')
    closeGracefully(request)
  }
  request.emit('error', unavailableProblem('detail.overloaded', 2))
}
