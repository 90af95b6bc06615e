import * as http from 'node:http'
import * as https from 'node:https'
import { maxMessageBytes } from './charge-message.ts'

/** A complete HTTP response with a bounded UTF-8 body. */
export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** The reason for a missing response; the request may still have taken effect. */
export interface NoReply {
  readonly kind: 'unknown'
  readonly because: 'timeout' | 'unreachable' | 'garbage'
}

/** Sends idempotent requests to one provider; requests in flight at `close` get no reply. */
export interface ProviderClient {
  send(method: string, path: string, body?: string): Promise<Reply | NoReply>
  close(): void
}

type Attempt = Reply | NoReply | { readonly kind: 'stale' }

/**
 * Creates a client with keep-alive connections to one origin. `send` never rejects, retries once
 * and resolves within `timeoutMs`, so requests must be idempotent. Throws for an invalid URL or
 * secret.
 */
export function createProviderClient(
  baseUrl: string,
  secret: string,
  timeoutMs: number,
): ProviderClient {
  const url = new URL(baseUrl)
  const client = url.protocol === 'https:' ? https : http
  const agent = new client.Agent({ keepAlive: true })
  const target = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port }
  const basePath = url.pathname.replace(/\/$/, '')
  const authorization = `Bearer ${secret}`
  http.validateHeaderValue('authorization', authorization)

  function attempt(method: string, path: string, body: string, pooled: boolean, ms: number) {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const options = { ...target, path: basePath + path, method, headers }
    const request = client.request({ ...options, agent: pooled ? agent : false })
    const answer = awaitResponse(request, ms)
    request.end(body)
    return answer
  }

  return {
    async send(method, path, body = '') {
      const startedAt = performance.now()
      const first = await attempt(method, path, body, true, timeoutMs)
      if (first.kind !== 'stale') return first
      // Other pooled connections may be closed as well, so the retry opens a new one.
      const remainingMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
      const second = await attempt(method, path, body, false, remainingMs)
      return second.kind === 'stale' ? { kind: 'unknown', because: 'unreachable' } : second
    },
    close: () => agent.destroy(),
  }
}

function awaitResponse(request: http.ClientRequest, timeoutMs: number): Promise<Attempt> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({ kind: 'unknown', because: 'timeout' }), timeoutMs)
    function finish(result: Attempt): void {
      clearTimeout(timer)
      resolve(result)
      if (result.kind !== 'reply') request.destroy()
    }
    let hasResponse = false
    request.on('response', (response) => {
      hasResponse = true
      readBody(response, finish)
    })
    request.on('error', (error) => finish(toAttempt(error, request.reusedSocket && !hasResponse)))
    request.on('close', () => finish({ kind: 'unknown', because: 'unreachable' }))
  })
}

function readBody(response: http.IncomingMessage, finish: (result: Attempt) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxMessageBytes) finish({ kind: 'unknown', because: 'garbage' })
    else chunks.push(chunk)
  })
  response.on('error', (error) => finish(toAttempt(error, false)))
  response.on('end', () => {
    const contentType = response.headers['content-type'] ?? ''
    const text = Buffer.concat(chunks).toString('utf8')
    finish({ kind: 'reply', status: response.statusCode ?? 0, contentType, text })
  })
}

function toAttempt(error: Error & { code?: string }, reused: boolean): Attempt {
  const code = error.code ?? ''
  // A pooled connection closed by the peer is noticed only on the next write.
  if (reused && (code === 'ECONNRESET' || code === 'EPIPE')) return { kind: 'stale' }
  return { kind: 'unknown', because: code.startsWith('HPE_') ? 'garbage' : 'unreachable' }
}
