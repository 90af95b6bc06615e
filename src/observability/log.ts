import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { RejectedRequest } from '#http/server/connection/client-errors.ts'
import type { Served } from '#http/server/observe-requests.ts'
import { type LogAddresses, loggedAddress } from './log-addresses.ts'

const secretNames = [
  'authorization',
  'cookie',
  'password',
  'token',
  'refresh_token',
  'access_token',
  'api_key',
  'key',
  'secret',
  'secretKey',
  'secretKeys',
  'secretKeyPrevious',
]
const headerNames = ['["set-cookie"]', '["proxy-authorization"]', '["x-api-key"]']

/** Every place, down to the third level, where a secret of such a name could stand. */
const secretPaths = ['', '*.', '*.*.'].flatMap((prefix) => [
  ...secretNames.map((name) => `${prefix}${name}`),
  ...headerNames.map((name) => `${prefix.slice(0, -1)}${name}`),
])

const options: LoggerOptions = {
  base: { pid: process.pid },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (level) => ({ level }) },
  redact: { paths: secretPaths, censor: '[secret]' },
}

/** Where log lines are written to. */
export type Log = Logger

/** The grades a log line may have, and silence. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** A log of one JSON object a line, in which fields named like a secret are blotted out. */
export function openLog(level: LogLevel, into: DestinationStream = standardOutput()): Log {
  return pino({ ...options, level }, into)
}

// Lines wait while the one before is written, so that a slow terminal or disk holds up nobody.
const standardOutput = (): DestinationStream => destination({ dest: 1, sync: false })

const quietPaths = new Set(['/health/live', '/health/ready', '/metrics'])

/** Writes one line per answer: who asked for what, how it ended and how long it took. */
export function logServed(log: Log, served: Served, addresses: LogAddresses): void {
  const level = quietPaths.has(served.route ?? '') ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  log[level](
    {
      request_id: served.requestId,
      method: served.method,
      path: served.path,
      route: served.route,
      status: served.status,
      milliseconds: Math.round(served.milliseconds * 1000) / 1000,
      user_id: served.userId,
      address: loggedAddress(served.address, addresses),
    },
    'request',
  )
}

/** Writes one line per answer to what never became a request, without any of it. */
export function logRejected(log: Log, unread: RejectedRequest, addresses: LogAddresses): void {
  const { requestId, status, errorCode, reason } = unread
  const address = loggedAddress(unread.address, addresses)
  log.info(
    { request_id: requestId, status, error_code: errorCode, reason, address },
    'request unread',
  )
}
