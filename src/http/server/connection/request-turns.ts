/** The requests of one network that begin in one turn of the event loop. */
export const requestsPerTurn = 16
/** The requests of all networks together, of each at least one, that begin in one turn. */
const requestsOfAll = 64

/** How much begins in a turn, and when the next one is. */
interface Pace {
  readonly ofNetwork: number
  /** Of all networks together, of each at least one. */
  readonly ofAll: number
  readonly schedule: (next: () => void) => unknown
}

/** Begins what networks ask for in turns, so that none of them fills a turn of the event loop. */
type TakeTurn = (network: string, begin: () => void) => void

interface Turn {
  begun: number
  readonly waiting: (() => void)[]
}

/** Creates the turns of requests. */
export const createRequestTurns = (): TakeTurn =>
  createTurns({ ofNetwork: requestsPerTurn, ofAll: requestsOfAll, schedule: setImmediate })

/** Creates the turns of a process. What a network asks for begins at once unless it has had its turn. */
export function createTurns({ ofNetwork, ofAll, schedule }: Pace): TakeTurn {
  const turns = new Map<string, Turn>()
  let begunOfAll = 0
  const next = (): void => {
    begunOfAll = 0
    const share = Math.max(1, Math.floor(ofAll / turns.size))
    for (const [network, turn] of turns) {
      if (turn.waiting.length === 0) turns.delete(network)
      const begun = turn.waiting.splice(0, Math.min(ofNetwork, share))
      turn.begun = begun.length
      begunOfAll += begun.length
      for (const begin of begun) begin()
    }
    if (turns.size > 0) schedule(next)
  }
  return (network, begin) => {
    if (turns.size === 0) schedule(next)
    const turn = turns.get(network) ?? { begun: 0, waiting: [] }
    turns.set(network, turn)
    if (turn.begun >= ofNetwork || begunOfAll >= ofAll) {
      turn.waiting.push(begin)
      return
    }
    turn.begun += 1
    begunOfAll += 1
    begin()
  }
}
