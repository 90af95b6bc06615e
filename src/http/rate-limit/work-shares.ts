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

/** Creates shares of the last seconds; with more networks than `capacity`, the half with the least recent work is forgotten. */
export function createWorkShares(capacity = defaultCapacity): WorkShares {
  const networks = new Map<string, Work>()
  const total: Work = { ms: 0, atMs: 0 }
  const squares: Work = { ms: 0, atMs: 0 }
  const addSums = (ms: number, square: number, atMs: number): void => {
    set(total, Math.max(0, recent(total, atMs) + ms), atMs)
    set(squares, Math.max(0, recent(squares, atMs, 2) + square), atMs)
  }
  const forgetHalf = (atMs: number): void => {
    const least = Array.from(networks, ([name, work]) => ({ name, ms: recent(work, atMs) }))
    least.sort((one, other) => one.ms - other.ms).length = Math.ceil(capacity / 2)
    for (const { name, ms } of least) {
      addSums(-ms, -(ms ** 2), atMs)
      networks.delete(name)
    }
  }
  return {
    add: (network, added, atMs) => {
      if (!networks.has(network) && networks.size >= capacity) forgetHalf(atMs)
      const work = networks.get(network) ?? { ms: 0, atMs }
      const before = recent(work, atMs)
      set(work, before + added, atMs)
      networks.set(network, work)
      addSums(added, work.ms ** 2 - before ** 2, atMs)
    },
    isHeavy: (network, atMs) => {
      const own = networks.get(network)
      if (!own) return false
      const ms = recent(own, atMs)
      return ms > 0 && ms * recent(total, atMs) >= heavyPart * recent(squares, atMs, 2)
    },
  }
}

function set(work: Work, ms: number, atMs: number): void {
  work.ms = ms
  work.atMs = atMs
}

/** What is left of work; of its square, it halves twice in the time. */
const recent = ({ ms, atMs }: Work, nowMs: number, power = 1): number =>
  ms * 0.5 ** ((power * (nowMs - atMs)) / halfLifeMs)
