import type { Exchange, NoReply, Reply } from '#src/payments/http/exchange.ts'
import type { Sandbox } from '#src/payments/sandbox/server.ts'

/** Asks a sandbox of this process as over HTTP: what it does not answer within `timeoutMs` has no reply. */
export function exchangeWith({ ask }: Pick<Sandbox, 'ask'>, timeoutMs: number): Exchange {
  const open = new Set<(reply: NoReply) => void>()
  return {
    send: (method, url, body = '') =>
      new Promise((resolve) => {
        const end = (reply: Reply | NoReply) => {
          clearTimeout(timer)
          open.delete(end)
          resolve(reply)
        }
        const timer = setTimeout(() => end({ kind: 'unknown', because: 'timeout' }), timeoutMs)
        open.add(end)
        ask({ method, url, body }, (sent) => {
          if (sent === undefined) return end({ kind: 'unknown', because: 'unreachable' })
          const { status, text } = sent
          end({ kind: 'reply', status, contentType: 'application/json', text })
        })
      }),
    close: () => {
      for (const end of open) end({ kind: 'unknown', because: 'unreachable' })
    },
  }
}
