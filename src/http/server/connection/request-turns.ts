/** The requests of one network that begin in one turn of the event loop. */
export const requestsPerTurn = 16
/** The requests of all networks together, of each at least one, that begin in one turn. */
const requestsOfAll = 64

/** Begins the requests of each network in turns, so that none of them fills a turn of the event loop. */
export type TakeTurn = (network: string, begin: () => void) => void

interface Turn {
  begun: number
  readonly waiting: (() => void)[]
}

/** Creates the turns of a process. A request begins at once unless its network has had its turn. */
export function createRequestTurns(): TakeTurn {
  const turns = new Map<string, Turn>()
  let begunOfAll = 0
  const next = (): void => {
    begunOfAll = 0
    const share = Math.max(1, Math.floor(requestsOfAll / turns.size))
    for (const [network, turn] of turns) {
      if (turn.waiting.length === 0) turns.delete(network)
      const begun = turn.waiting.splice(0, Math.min(requestsPerTurn, share))
      turn.begun = begun.length
      begunOfAll += begun.length
      for (const begin of begun) begin()
    }
    if (turns.size > 0) setImmediate(next)
  }
  return (network, begin) => {
    if (turns.size === 0) setImmediate(next)
    const turn = turns.get(network) ?? { begun: 0, waiting: [] }
    turns.set(network, turn)
    if (turn.begun >= requestsPerTurn || begunOfAll >= requestsOfAll) {
      turn.waiting.push(begin)
      return
    }
    turn.begun += 1
    begunOfAll += 1
    begin()
  }
}
