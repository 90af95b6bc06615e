/** The requests of one network that begin in one turn of the event loop. */
export const requestsPerTurn = 16
/** The requests of all networks together, of each at least one, that begin in one turn. */
const requestsOfAll = 64

/** What the requests of one network that wait for a turn may take, in bytes. */
export const waitingBytesOfNetwork = 32 * 1024 * 1024
/** What those of all networks may take, of which each gets the same share. */
const waitingBytes = 4 * waitingBytesOfNetwork

/** How much begins in a turn, and when the next one is. */
interface Pace {
  readonly ofNetwork: number
  /** Of all networks together, of each at least one. */
  readonly ofAll: number
  readonly schedule: (next: () => void) => unknown
}

/**
 * Begins what networks ask for in turns, so that none of them fills a turn of the event loop. Returns false for what
 * would have to wait while what waits of its network takes too many bytes.
 */
type TakeTurn = (network: string, begin: () => void, bytes?: number) => boolean

interface Waiting {
  readonly bytes: number
  readonly begin: () => void
}

interface Turn {
  begun: number
  bytes: number
  readonly waiting: Waiting[]
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
      for (const { bytes, begin } of begun) {
        turn.bytes -= bytes
        begin()
      }
    }
    if (turns.size > 0) schedule(next)
  }
  return (network, begin, bytes = 0) => {
    if (turns.size === 0) schedule(next)
    const turn = turns.get(network) ?? { begun: 0, bytes: 0, waiting: [] }
    turns.set(network, turn)
    if (turn.begun >= ofNetwork || begunOfAll >= ofAll) {
      const limit = Math.min(waitingBytesOfNetwork, waitingBytes / turns.size)
      if (turn.waiting.length > 0 && turn.bytes + bytes > limit) return false
      turn.bytes += bytes
      turn.waiting.push({ bytes, begin })
      return true
    }
    turn.begun += 1
    begunOfAll += 1
    begin()
    return true
  }
}
