import type { NoReply, ProviderClient, Reply } from '#shop/providers/http/provider-client.ts'
import type { Request, Respond } from './routes.ts'

/**
 * Creates a client of a sandbox in this process, which behaves as over HTTP and times out after
 * `timeoutMs`.
 */
export function createSandboxClient(
  { handle }: { readonly handle: (request: Request, respond: Respond) => void },
  timeoutMs: number,
): ProviderClient {
  const pending = new Set<(reply: NoReply) => void>()
  return {
    send: (method, url, body = '') =>
      new Promise((resolve) => {
        const end = (reply: Reply | NoReply) => {
          clearTimeout(timer)
          pending.delete(end)
          resolve(reply)
        }
        const timer = setTimeout(() => end({ kind: 'unknown', because: 'timeout' }), timeoutMs)
        pending.add(end)
        handle({ method, url, body }, (response) => {
          if (response === undefined) return end({ kind: 'unknown', because: 'unreachable' })
          const { status, text } = response
          end({ kind: 'reply', status, contentType: 'application/json', text })
        })
      }),
    close: () => {
      for (const end of pending) end({ kind: 'unknown', because: 'unreachable' })
    },
  }
}
