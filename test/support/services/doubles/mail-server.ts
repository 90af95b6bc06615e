import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { freePort } from '#test/support/services/ports.ts'

/** A mail as a mail server has received it. */
export interface ReceivedMail {
  readonly to: readonly string[]
  /** By lower-case name, unfolded. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
}

/** A mail server in this process that keeps what it gets. */
export interface MailServer {
  readonly url: string
  readonly port: number
  readonly mails: ReceivedMail[]
  /** Decides on each recipient: undefined takes the mail, else an SMTP status such as 550. */
  reject: (address: string) => number | undefined
  /** Called with each mail after it is kept and before the client gets its answer. */
  afterData: () => Promise<void>
  readonly close: () => Promise<void>
}

/** As Postfix words it. */
const smtpError = (status: number, address: string): Error =>
  Object.assign(new Error(`<${address}>: Recipient address rejected`), { responseCode: status })

/** Starts a mail server on a port of this machine, by default a free one that stays so while it is away. */
export async function startMailServer(port?: number): Promise<MailServer> {
  const ownPort = port ?? (await freePort())
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => {
      const status = opened.reject(address)
      if (status === undefined) done()
      else done(smtpError(status, address))
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, ...parseMail(Buffer.concat(parts).toString('latin1')) })
        opened.afterData().then(() => done(), done)
      })
    },
  })
  // Clients that end their connection early are part of the tests.
  server.on('error', () => undefined)
  await once(server.listen(ownPort, '127.0.0.1'), 'listening')
  const opened: MailServer = {
    url: `smtp://127.0.0.1:${ownPort}`,
    port: ownPort,
    mails,
    reject: () => undefined,
    afterData: async () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return opened
}

/** Parses a mail with a part of plain text and one of HTML (RFC 2045, RFC 2046). */
export function parseMail(source: string): Omit<ReceivedMail, 'to'> {
  const { headers, body } = splitMail(source)
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '') ?? []
  const parts = body.split(`--${boundary}`).slice(1, -1).map(splitMail)
  const partOf = (type: string): string => {
    const part = parts.find((each) => each.headers['content-type']?.startsWith(type))
    return part ? decode(part.body, part.headers['content-transfer-encoding']) : ''
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

function splitMail(source: string) {
  const [head = '', ...rest] = source.replace(/^\r?\n/, '').split(/\r?\n\r?\n/)
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), decodeWords(value.join(':').trim())]
    }),
  )
  return { headers, body: rest.join('\n\n') }
}

/** Decodes the encoded words of a header field (RFC 2047). */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, coding: string, text: string) =>
      coding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    )

function decode(body: string, coding = '7bit'): string {
  if (coding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (coding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
