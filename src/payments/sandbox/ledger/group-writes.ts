import type { Request, Sent, Tell } from '#src/payments/sandbox/routes.ts'
import { warn } from '#src/payments/sandbox/warn.ts'
import type { Ledger } from './ledger.ts'

/** Answers requests of which those of one turn of the event loop are written together. */
export interface Together {
  ask(request: Request, tell: Tell): void
  /** Writes and tells what is still to be told of this turn. */
  end(): void
}

/** Tells what came of a request only once it is written; where it cannot be, the connection is cut. */
export function answeringTogether(
  ledger: Ledger,
  answer: (request: Request, tell: Tell) => void,
): Together {
  let waiting: { readonly tell: Tell; readonly sent: Sent | undefined }[] | undefined

  function end(): void {
    const ended = waiting
    if (ended === undefined) return
    waiting = undefined
    const isWritten = succeeds(ledger.commit)
    for (const { tell, sent } of ended) tell(isWritten ? sent : undefined)
  }

  return {
    ask(request, tell) {
      if (waiting === undefined) {
        if (!succeeds(ledger.begin)) return tell(undefined)
        waiting = []
        setImmediate(end)
      }
      answer(request, (sent) => (waiting ? waiting.push({ tell, sent }) : tell(sent)))
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
