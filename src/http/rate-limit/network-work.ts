import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import { type Problem, unavailableProblem } from '#values/problem.ts'
import type { Limits } from './counters.ts'
import { tooManyRequestsProblem } from './limit-headers.ts'
import { createWorkShares } from './work-shares.ts'

/** The milliseconds of the event loop that one network may use: half of it. */
const workAllowance: Allowance = { limit: 30_000, windowMs: minuteMs }
/** The work of one network that may be in progress at once, in milliseconds of the event loop. */
const maxInProgressMs = 50
const minInProgress = 2
/** The requests of one network that may wait: more than it has connections, unless it is hostile. */
const maxWaiting = 500
/** What a request of a network costs until some are measured. */
const assumedMs = 25
/** The weight of the last request in the mean cost of a network's requests. */
const lastWeight = 0.2
const maxCountedMs = 250
/** Work is counted in the allowance once there is this much. */
const countedStepMs = 50
const maxNetworks = 10_000

/** What the requests of each network cost this process, in milliseconds of its event loop. */
export interface NetworkWork {
  /**
   * Begins a request, after others of its network if those in progress cost much; returns what ends
   * it. Throws 503/5031 if too many wait, and 429/4291 for a network that has used its allowance.
   */
  readonly begin: (network: string, now: Instant) => EndRequest | Promise<EndRequest>
  /** Measures a request that may be refused: it never waits. Returns what ends it. */
  readonly measure: (network: string, now: Instant) => EndRequest
  /** True for a network whose site has a notable share of the recent work. */
  readonly isHeaviest: (network: string) => boolean
}

/** Ends what was begun, once. */
type EndRequest = () => void

interface Network {
  meanMs: number
  uncountedMs: number
  inProgress: number
  rejection: { readonly until: Instant; readonly problem: Problem } | undefined
  readonly waiting: (() => void)[]
}

/** Begins work for the network of a caller, as `NetworkWork.begin` does, unless the caller has a credential without a limit. */
export function beginWork(
  work: NetworkWork | undefined,
  { request, actor, now }: Pick<AdmittedExchange, 'request' | 'actor' | 'now'>,
): EndRequest | Promise<EndRequest> | undefined {
  if (actor.credential?.rateLimit?.allowance === 'off') return undefined
  return work?.begin(networkOf(request.ip), now)
}

/**
 * Measures the work of networks. The time in which the event loop is active, or threads are busy for it
 * (`threadMs`), is divided among the requests in progress, so that the work of all of them is what the
 * process has done.
 */
export function createNetworkWork(
  limits: Limits | undefined,
  threadMs: () => number = () => 0,
): NetworkWork {
  const networks = new Map<string, Network>()
  const shares = createWorkShares()
  const measure = createMeasure(threadMs)
  const find = (name: string): Network => {
    const known = networks.get(name)
    if (known) return known
    if (networks.size >= maxNetworks) forgetIdle(networks)
    const network: Network = {
      ...{ meanMs: assumedMs, uncountedMs: 0, inProgress: 0 },
      ...{ rejection: undefined, waiting: [] },
    }
    networks.set(name, network)
    return network
  }
  const count = async (name: string, network: Network, now: Instant): Promise<void> => {
    const ms = Math.floor(network.uncountedMs)
    if (!limits || ms < countedStepMs) return
    network.uncountedMs -= ms
    const result = await limits.counters.spend(`work ${name}`, workAllowance, ms, now)
    if (result.allowed) return
    const problem = tooManyRequestsProblem({ ...workAllowance, name: 'work' }, result)
    network.rejection = { until: now + result.retryAfterMs, problem }
  }
  const start = (name: string, network: Network, now: Instant): EndRequest => {
    network.inProgress += 1
    const end = measure()
    return () => {
      const ms = end()
      network.meanMs += (Math.min(ms, maxCountedMs) - network.meanMs) * lastWeight
      network.inProgress -= 1
      while (hasRoom(network) && network.waiting.length > 0) network.waiting.shift()?.()
      add(name, network, ms, now)
    }
  }
  const add = (name: string, network: Network, ms: number, now: Instant): void => {
    shares.add(siteOf(name), ms, performance.now())
    network.uncountedMs += ms
    void count(name, network, now)
  }
  return {
    begin: (name, now) => {
      const network = find(name)
      const { rejection, waiting } = network
      if (rejection && now < rejection.until) throw rejection.problem
      if (waiting.length === 0 && hasRoom(network)) return start(name, network, now)
      if (waiting.length >= maxWaiting) throw unavailableProblem('detail.overloaded', 2)
      return new Promise((resolve) => {
        waiting.push(() => resolve(start(name, network, now)))
      })
    },
    measure: (name, now) => {
      const end = measure()
      let isEnded = false
      return () => {
        if (!isEnded) add(name, find(name), end(), now)
        isEnded = true
      }
    },
    isHeaviest: (name) => shares.isHeavy(siteOf(name), performance.now()),
  }
}

const hasRoom = ({ inProgress, meanMs }: Network): boolean =>
  inProgress < Math.max(minInProgress, maxInProgressMs / meanMs)

/** Forgets networks without requests, those known longest first, until half are left. */
function forgetIdle(networks: Map<string, Network>): void {
  for (const [name, { inProgress }] of networks) {
    if (networks.size <= maxNetworks / 2) return
    if (inProgress === 0) networks.delete(name)
  }
}

/** Returns a function that begins a request and returns what ends it and returns its share of the work. */
function createMeasure(threadMs: () => number): () => () => number {
  let inProgress = 0
  let activeMs = 0
  // What a request has cost that has been in progress since the start.
  let shareMs = 0
  const advance = (): number => {
    const active = performance.eventLoopUtilization().active + threadMs()
    if (inProgress > 0) shareMs += (active - activeMs) / inProgress
    activeMs = active
    return shareMs
  }
  return () => {
    const startedAt = advance()
    inProgress += 1
    return () => {
      const cost = advance() - startedAt
      inProgress -= 1
      return cost
    }
  }
}
