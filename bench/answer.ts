/** One complete HTTP/1.1 answer; `body` is only valid until the next one is read. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const contentLength = /\r\ncontent-length: *(\d+)/i
const chunkedEncoding = /\r\ntransfer-encoding: *chunked/i

/**
 * Reads the one answer that `bytes` holds, or answers undefined while part of it is missing.
 * Throws where `bytes` is no HTTP/1.1 answer, or more than one (RFC 9112 section 6).
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headLength = bytes.indexOf(headEnd)
  if (headLength === -1) return undefined
  const head = bytes.toString('latin1', 0, headLength)
  const status = Number(head.slice(9, 12))
  if (!head.startsWith('HTTP/1.1 ') || !(status >= 200)) throw new Error(`not an answer: ${head}`)
  const rest = bytes.subarray(headLength + headEnd.length)
  const length = contentLength.exec(head)?.[1]
  if (length === undefined && chunkedEncoding.test(head)) {
    const body = joinChunks(rest)
    return body && { status, head, body }
  }
  if (length === undefined && status !== 204 && status !== 304) {
    throw new Error(`an answer without a length: ${head}`)
  }
  const missing = Number(length ?? 0) - rest.length
  if (missing < 0) throw new Error(`${-missing} bytes after an answer: ${head}`)
  return missing > 0 ? undefined : { status, head, body: rest }
}

function joinChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error('a chunk without a size')
    const start = lineEnd + 2
    if (rest.length < start + size + 2) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(start, start + size))
    at = start + size + 2
  }
}

const lastNumberOfLocation = /\r\nlocation: [^\r]*\/(\d+)(?=\r|$)/i

/** Gives the number that ends the answer's `Location`, and throws where there is none. */
export function createdId(answer: Answer): number {
  const id = lastNumberOfLocation.exec(answer.head)?.[1]
  if (id === undefined) throw new Error(`no Location that ends in a number: ${answer.head}`)
  return Number(id)
}
