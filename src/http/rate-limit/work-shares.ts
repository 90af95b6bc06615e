import { secondMs } from '#values/instant.ts'

/** Recent work halves in this time. */
const halfLifeMs = 5 * secondMs
const defaultCapacity = 10_000
/** A network is heavy from this part of the share that the average millisecond belongs to. */
const heavyPart = 0.5

interface Work {
  ms: number
  atMs: number
}

/** The recent work of networks, and who has a notable share of it. */
export interface WorkShares {
  readonly add: (network: string, ms: number, atMs: number) => void
  /**
   * True for a network with at least half the work that the average millisecond stands beside: each
   * network counts by its work, so that idle and light ones do not change who is heavy.
   */
  readonly isHeavy: (network: string, atMs: number) => boolean
}

/** Creates shares of the last seconds; with more networks, that which has worked least recently is forgotten. */
export function createWorkShares(capacity = defaultCapacity): WorkShares {
  // A Map iterates in insertion order: a network that works goes to the end.
  const networks = new Map<string, Work>()
  const total: Work = { ms: 0, atMs: 0 }
  const squares: Work = { ms: 0, atMs: 0 }
  const addSums = (ms: number, square: number, atMs: number): void => {
    Object.assign(total, { ms: Math.max(0, recent(total, atMs) + ms), atMs })
    Object.assign(squares, { ms: Math.max(0, recent(squares, atMs, 2) + square), atMs })
  }
  const forget = (network: string, atMs: number): number => {
    const work = networks.get(network)
    if (!work) return 0
    const ms = recent(work, atMs)
    addSums(-ms, -(ms ** 2), atMs)
    networks.delete(network)
    return ms
  }
  return {
    add: (network, added, atMs) => {
      const ms = forget(network, atMs) + added
      const [oldest] = networks.keys()
      if (networks.size >= capacity && oldest !== undefined) forget(oldest, atMs)
      networks.set(network, { ms, atMs })
      addSums(ms, ms ** 2, atMs)
    },
    isHeavy: (network, atMs) => {
      const own = networks.get(network)
      if (!own) return false
      const ms = recent(own, atMs)
      return ms > 0 && ms * recent(total, atMs) >= heavyPart * recent(squares, atMs, 2)
    },
  }
}

/** What is left of work; of its square, it halves twice in the time. */
const recent = ({ ms, atMs }: Work, nowMs: number, power = 1): number =>
  ms * 0.5 ** ((power * (nowMs - atMs)) / halfLifeMs)
