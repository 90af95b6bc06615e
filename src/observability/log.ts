import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { RejectedRequest } from '#http/server/connection/client-errors.ts'
import type { ServedRequest } from '#http/server/observe-requests.ts'
import { tellRarely } from '#values/tell-rarely.ts'
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

const debugRoutes = new Set(['/health/live', '/health/ready', '/metrics'])

/** The refusals of a flood, of which the metrics have the number. */
const floodStatuses = new Set([429, 503])

/**
 * Returns what logs a request with its user, status and duration: health checks and metrics at level debug,
 * and of each refusal for a limit or overload one a second, with the number of those left out before it.
 */
export function createRequestLog(
  log: Log,
  addresses: LogAddresses,
  countLeftOut = tellRarely(),
): (served: ServedRequest) => void {
  return (served) => {
    const level = debugRoutes.has(served.route ?? '') ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return
    const leftOut = floodStatuses.has(served.status) ? countLeftOut(String(served.status)) : 0
    if (leftOut === undefined) return
    log[level](
      {
        request_id: served.requestId,
        method: served.method,
        path: served.path,
        route: served.route,
        status: served.status,
        milliseconds: Math.round(served.milliseconds * 1000) / 1000,
        user_id: served.userId,
        address: redactAddress(served.address, addresses),
        ...(leftOut > 0 && { left_out: leftOut }),
      },
      'request',
    )
  }
}

/** Returns what logs the rejection of malformed requests, of each status one a second, without any of their content. */
export function createRejectionLog(
  log: Log,
  addresses: LogAddresses,
  countLeftOut = tellRarely(),
): (rejected: RejectedRequest) => void {
  return ({ requestId, status, errorCode, reason, address }) => {
    const leftOut = countLeftOut(String(status))
    if (leftOut === undefined) return
    log.info(
      {
        ...{ request_id: requestId, status, error_code: errorCode, reason },
        address: redactAddress(address, addresses),
        ...(leftOut > 0 && { left_out: leftOut }),
      },
      'request unread',
    )
  }
}
