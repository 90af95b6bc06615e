import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { RejectedRequest } from '#http/server/connection/client-errors.ts'
import type { ServedRequest } from '#http/server/observe-requests.ts'
import { type LogAddresses, redactAddress } from './log-addresses.ts'

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

/** The paths of secret fields, up to the third level. */
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

/** The logger of the process. */
export type Log = Logger

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** Creates a log that writes one JSON object per line and redacts fields with the name of a secret. */
export function createLog(level: LogLevel, stream: DestinationStream = standardOutput()): Log {
  return pino({ ...options, level }, stream)
}

// Asynchronous, so that a slow terminal or disk does not block requests.
const standardOutput = (): DestinationStream => destination({ dest: 1, sync: false })

/** The parts of a path after these words are tokens of mails and of the sandbox's payment pages. */
const tokenSegments =
  /(?<=\/(?:password-resets|email-confirmations|email-rejections|address-changes|sandbox\/payments)\/)[^/]+/g

const debugRoutes = new Set(['/health/live', '/health/ready', '/metrics'])

/** Logs one request with its user, status and duration; health checks and metrics at level debug. */
export function logServed(log: Log, served: ServedRequest, addresses: LogAddresses): void {
  const level = debugRoutes.has(served.route ?? '') ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  log[level](
    {
      request_id: served.requestId,
      method: served.method,
      path: served.path.replaceAll(tokenSegments, '[secret]'),
      route: served.route,
      status: served.status,
      milliseconds: Math.round(served.milliseconds * 1000) / 1000,
      user_id: served.userId,
      address: redactAddress(served.address, addresses),
    },
    'request',
  )
}

/** Logs the rejection of a malformed request, without any of its content. */
export function logRejected(log: Log, rejected: RejectedRequest, addresses: LogAddresses): void {
  const { requestId, status, errorCode, reason } = rejected
  const address = redactAddress(rejected.address, addresses)
  log.info(
    { request_id: requestId, status, error_code: errorCode, reason, address },
    'request unread',
  )
}
