import type { Request, Respond, SerializedResponse } from '#shop/providers/sandbox/routes.ts'
import { warn } from '#shop/providers/sandbox/warn.ts'
import type { Ledger } from './ledger.ts'

/** Handles requests; those of one event-loop turn share a transaction. */
export interface GroupedHandler {
  handle(request: Request, respond: Respond): void
  /** Commits the open transaction and sends its responses. */
  end(): void
}

/** Sends responses only after the commit; when it fails, closes the connections. */
export function groupWrites(
  ledger: Ledger,
  answer: (request: Request, respond: Respond) => void,
): GroupedHandler {
  let waiting:
    | { readonly respond: Respond; readonly sent: SerializedResponse | undefined }[]
    | undefined

  function end(): void {
    const ended = waiting
    if (ended === undefined) return
    waiting = undefined
    const isWritten = succeeds(ledger.commit)
    for (const { respond, sent } of ended) respond(isWritten ? sent : undefined)
  }

  return {
    handle(request, respond) {
      if (waiting === undefined) {
        if (!succeeds(ledger.begin)) return respond(undefined)
        waiting = []
        setImmediate(end)
      }
      answer(request, (sent) => (waiting ? waiting.push({ respond, sent }) : respond(sent)))
    },
    end,
  }
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    warn(error)
    return false
  }
}
