import { createHmac } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'

const ANSWER_TIMEOUT_MS = 5_000

/** Sends signed callbacks. */
interface CallbackSender {
  /** Resolves to true when the receiver answered 2xx; never rejects. */
  post(callbackUrl: string, body: string): Promise<boolean>
  /** Aborts requests in flight, which resolve to false. */
  close(): void
}

/** Creates a sender of callbacks. */
export function createCallbackSender(options: {
  readonly secret: string
  readonly now: () => number
}): CallbackSender {
  const requests = new Set<http.ClientRequest>()
  return {
    post(callbackUrl, body) {
      const client = callbackUrl.startsWith('https:') ? https : http
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'sandbox-signature': sign(body, options.secret, options.now()),
      }
      return new Promise((resolve) => {
        const request = client.request(callbackUrl, { method: 'POST', headers, agent: false })
        requests.add(request)
        request.setTimeout(ANSWER_TIMEOUT_MS, () => request.destroy())
        request.on('response', (response) => {
          const { statusCode = 0 } = response
          response.resume().on('end', () => resolve(statusCode >= 200 && statusCode < 300))
        })
        request.on('error', () => resolve(false))
        request.on('close', () => {
          requests.delete(request)
          resolve(false)
        })
        request.end(body)
      })
    },
    close() {
      for (const request of requests) request.destroy()
    },
  }
}

/** Returns the `Sandbox-Signature` header for a body at `now` (milliseconds UTC). */
export function sign(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000)
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}
