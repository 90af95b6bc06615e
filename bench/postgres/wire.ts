import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** A statement as it went over the wire. */
export interface SentStatement {
  readonly connection: number
  readonly sql: string
  readonly parameters: readonly (string | null)[]
  /** Was sent before the one ahead of it, on the same connection, was answered. */
  readonly isPipelined: boolean
}

/** A way to PostgreSQL that takes down what is sent through it. */
export interface Wire {
  readonly url: string
  /** What was sent since this was last asked, in the order of sending. */
  readonly take: () => readonly SentStatement[]
  readonly close: () => void
}

/** Opens a way to the server of `url`; it understands no TLS. */
export async function openWire(url: string): Promise<Wire> {
  const target = new URL(url)
  let sent: SentStatement[] = []
  let connections = 0
  const server = createServer({ noDelay: true }, (near) => {
    connections += 1
    const note = noteTaker(connections, (statement) => sent.push(statement))
    const far = connect({
      port: Number(target.port || 5432),
      host: target.hostname,
      noDelay: true,
    })
    near.on('data', (bytes: Buffer) => {
      note.asked(bytes)
      far.write(bytes)
    })
    far.on('data', (bytes: Buffer) => {
      note.answered(bytes)
      near.write(bytes)
    })
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    take: () => {
      const taken = sent
      sent = []
      return taken
    },
    close: () => server.close(),
  }
}

/** Reads both directions of one connection (PostgreSQL 55.7, message formats). */
function noteTaker(connection: number, tell: (statement: SentStatement) => void) {
  const texts = new Map<string, string>()
  let unanswered = 0
  const note = (sql: string, parameters: readonly (string | null)[]) =>
    tell({ connection, sql, parameters, isPipelined: unanswered > 0 })
  const readAsked = messages(true, (kind, body) => {
    if (kind === 'P') {
      const [name, sql] = cStrings(body, 2)
      texts.set(name ?? '', sql ?? '')
    } else if (kind === 'B') {
      const [, name] = cStrings(body, 2)
      note(texts.get(name ?? '') ?? '', boundValues(body))
    } else if (kind === 'Q') note(cStrings(body, 1)[0] ?? '', [])
    if (kind === 'S' || kind === 'Q') unanswered += 1
  })
  const readAnswered = messages(false, (kind) => {
    if (kind === 'Z' && unanswered > 0) unanswered -= 1
  })
  return { asked: readAsked, answered: readAnswered }
}

/** Cuts a stream into messages; the first that a client sends has no kind. */
function messages(isFirstBare: boolean, take: (kind: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isBare = isFirstBare
  return (bytes: Uint8Array) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = isBare ? 0 : 1
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      if (!isBare) take(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end))
      isBare = false
      rest = rest.subarray(end)
    }
  }
}

function cStrings(body: Buffer, count: number): readonly string[] {
  const strings: string[] = []
  for (let at = 0; strings.length < count; ) {
    const end = body.indexOf(0, at)
    strings.push(body.toString('utf8', at, end))
    at = end + 1
  }
  return strings
}

/** The values of a Bind message, all of which this driver sends as text. */
function boundValues(body: Buffer): readonly (string | null)[] {
  let at = body.indexOf(0, body.indexOf(0) + 1) + 1
  at += 2 + 2 * body.readUInt16BE(at)
  const count = body.readUInt16BE(at)
  at += 2
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    const value = body.toString('utf8', at, at + length)
    at += length
    return value
  })
}
