import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type StreamTransport from 'nodemailer/lib/stream-transport'
import { writeFileAtomically } from '#store/write-file.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import type { MailMessage, MailTransport, SendResult } from './message.ts'

/** Where mails come from: `address`, and the `name` that is shown for it. */
export interface Sender {
  readonly name: string
  readonly address: string
}

const timeoutMs = 10 * secondMs
/** Bounds a whole attempt, also with a mail server that answers slowly but steadily. */
const defaultDeadlineMs = minuteMs

/** An address that cannot hold a second address, a name or a header field. */
const singleAddress = /^[^\s<>()[\]\\,;:"\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u

// The library is loaded for the first mail.
const loadLibrary = () => import('nodemailer').then((library) => library.default)

/** Returns what the library takes: the mail with the header fields that every mail has. */
function toEnvelope(key: string, { to, language, ...message }: MailMessage, from: Sender) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    ...message,
    from,
    to: { name: '', address: to },
    messageId: `<${key}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * Creates a transport that connects to a mail server for each mail, and disconnects after
 * `deadlineMs` at the latest; `url` is `smtp://` or `smtps://`.
 */
export function createSmtpTransport(
  url: string,
  from: Sender,
  deadlineMs: number = defaultDeadlineMs,
): MailTransport {
  let opened: Promise<Transporter> | undefined
  return {
    send: async (key, message, signal) => {
      if (!singleAddress.test(message.to)) return { kind: 'rejected', error: 'malformed address' }
      try {
        opened ??= loadLibrary().then((library) => library.createTransport(smtpOptions(url)))
        const transporter = await opened
        const deadline = AbortSignal.timeout(deadlineMs)
        await transporter.sendMail({
          ...toEnvelope(key, message, from),
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        })
        return { kind: 'sent' }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

function smtpOptions(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)
  const hasUser = username !== ''
  return {
    host,
    secure,
    port: port === '' ? (secure ? 465 : hasUser ? 587 : 25) : Number(port),
    ...(hasUser
      ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
      : {}),
    // A password never crosses the network in plain text.
    requireTLS: hasUser && !isLocal,
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: 3 * timeoutMs,
  }
}

/** The commands whose rejection concerns the mail itself, not the connection or the sender. */
const commandsOfMail = /^(?:RCPT TO|DATA)$/

/**
 * Distinguishes a permanent rejection of a mail (RFC 5321 section 4.2.1) from a temporary failure.
 */
function failureOf(error: unknown): SendResult {
  const {
    message,
    responseCode = 0,
    command = '',
    code,
  } = error as Error & {
    readonly responseCode?: number
    readonly command?: string
    readonly code?: string
  }
  if (code === 'EABORT') return { kind: 'failed', error: 'no result in time' }
  const isPermanent = responseCode >= 500 && commandsOfMail.test(command)
  return { kind: isPermanent ? 'rejected' : 'failed', error: withoutAddresses(message) }
}

/** Mail servers repeat the recipient, which neither the log nor the database may hold. */
const withoutAddresses = (text: string): string =>
  text.replaceAll(/[^\s<>]+/g, (word) => (word.includes('@') ? '[address]' : word))

/** The suffix of the files in the folder of mails. */
const suffix = '.eml'

/** Returns the name of the file of a mail. */
const mailFileName = (key: string): string => `${key}${suffix}`

/** Returns the key of a mail by the name of its file; undefined for another file. */
export const mailKeyOf = (name: string): string | undefined =>
  /^[\w-]{1,100}\.eml$/.test(name) ? name.slice(0, -suffix.length) : undefined

/** Writes each mail as a file with mode 0600 to a folder with mode 0700, which it creates. */
export function createFolderTransport(folder: string, from: Sender): MailTransport {
  const options = { streamTransport: true, buffer: true, newline: 'windows' } as const
  let opened: Promise<Transporter<StreamTransport.SentMessageInfo>> | undefined
  return {
    send: async (key, message) => {
      try {
        opened ??= loadLibrary().then((library) => library.createTransport(options))
        const transporter = await opened
        const { message: content } = await transporter.sendMail(toEnvelope(key, message, from))
        const file = join(folder, mailFileName(key))
        await writeFileAtomically(file, content as Buffer, { isSynced: false })
        return { kind: 'sent' }
      } catch (error) {
        return { kind: 'failed', error: String(error) }
      }
    },
  }
}
