import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** A statement as it was sent. */
export interface SentStatement {
  readonly connection: number
  readonly sql: string
  readonly parameters: readonly (string | null)[]
  /** True where it was sent before the previous one of its connection was answered. */
  readonly isPipelined: boolean
  /** True where no statement of any connection was waiting for its answer. */
  readonly beginsTrip: boolean
}

/**
 * Opens a proxy to the server of `url`, without TLS. What is sent through it is recorded: `take`
 * returns what was sent since its last call, in the order of sending. Answers are delayed by `delayMs`.
 */
export async function openWire(url: string, delayMs = 0) {
  const { hostname: host, port } = new URL(url)
  let sent: SentStatement[] = []
  let connections = 0
  const waiting = { statements: 0 }
  const server = createServer({ noDelay: true }, (near) => {
    connections += 1
    const recorder = recorderOf(connections, waiting, (statement) => sent.push(statement))
    const far = connect({ port: Number(port || 5432), host, noDelay: true })
    near.on('data', (bytes: Buffer) => {
      recorder.onSent(bytes)
      far.write(bytes)
    })
    far.on('data', (bytes: Buffer) => {
      const deliver = () => {
        recorder.onReceived(bytes)
        near.write(bytes)
      }
      if (delayMs === 0) deliver()
      else setTimeout(deliver, delayMs)
    })
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
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
    [Symbol.dispose]: () => server.close(),
  }
}

/** Reads both directions of one connection (PostgreSQL 55.7, message formats). */
function recorderOf(
  connection: number,
  waiting: { statements: number },
  record: (statement: SentStatement) => void,
) {
  const texts = new Map<string, string>()
  let unanswered = 0
  const onStatement = (sql = '', parameters: readonly (string | null)[] = []) => {
    const beginsTrip = waiting.statements === 0
    record({ connection, sql, parameters, isPipelined: unanswered > 0, beginsTrip })
  }
  const onSent = messages(true, (kind, body) => {
    if (kind === 'P') {
      const [name = '', sql = ''] = strings(body)
      texts.set(name, sql)
    } else if (kind === 'B') onStatement(texts.get(strings(body)[1] ?? ''), boundValues(body))
    else if (kind === 'Q') onStatement(strings(body)[0])
    if (kind !== 'S' && kind !== 'Q') return
    unanswered += 1
    waiting.statements += 1
  })
  const onReceived = messages(false, (kind) => {
    if (kind !== 'Z' || unanswered === 0) return
    unanswered -= 1
    waiting.statements -= 1
  })
  return { onSent, onReceived }
}

/** Cuts a stream into messages; the first that a client sends has no kind. */
function messages(isFirstBare: boolean, onMessage: (kind: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isBare = isFirstBare
  return (bytes: Uint8Array) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = isBare ? 0 : 1
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      if (!isBare) onMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end))
      isBare = false
      rest = rest.subarray(end)
    }
  }
}

/** The null-terminated strings that a message begins with; what follows them is no text. */
const strings = (body: Buffer): readonly string[] => body.toString().split('\0', 2)

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
