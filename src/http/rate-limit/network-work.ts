import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import type { Problem } from '#values/problem.ts'
import { runInPlace } from '#values/request-place.ts'
import { type Caller, callerKey, isStranger, type Limits } from './counters.ts'
import { tooManyRequestsProblem } from './limit-headers.ts'
import { NetworkPlaces, type Place } from './network-places.ts'
import { createMeasure } from './work-measure.ts'
import { createWorkShares } from './work-shares.ts'

/** The milliseconds of the event loop that one network may use: half of it. */
const workAllowance: Allowance = { limit: 30_000, windowMs: minuteMs }
/** Work is counted in the allowance once there is this much. */
const countedStepMs = 50
const maxNetworks = 10_000
/** Strangers of a network have this many turns together, however many guests one of them makes. */
const strangerTurns = 8

/**
 * What the requests of each network cost this process, in milliseconds of its event loop: the work of all
 * of them is what the process has done.
 */
export interface NetworkWork {
  /**
   * Begins a request, after others of its network if those in progress cost much, and in turn with its
   * other callers. Throws 503/5031 if too many wait, and 429/4291 for a network that has used its allowance.
   */
  readonly begin: (network: string, caller: string, now: Instant) => Place | Promise<Place>
  /** Measures a request that may be refused: it never waits. Returns what ends it. */
  readonly measure: (network: string, now: Instant) => () => void
  /** True for a network whose site has a notable share of the recent work. */
  readonly isHeaviest: (network: string) => boolean
}

interface Network {
  readonly places: NetworkPlaces
  uncountedMs: number
  rejection: { readonly until: Instant; readonly problem: Problem } | undefined
}

type Work = NetworkWork | undefined
type Worker = Pick<AdmittedExchange, 'request' | 'actor' | 'now'>

/** Takes a place for the caller, as `NetworkWork.begin` does, unless its credential has no limit. */
export function beginWork(
  work: Work,
  { request, actor, now }: Worker,
): Place | Promise<Place> | undefined {
  if (actor.credential?.rateLimit?.allowance === 'off') return undefined
  return work?.begin(networkOf(request.ip), turnKey({ request, actor }), now)
}

/** Runs what a caller asks for in a place of its network. */
export async function inPlace<T>(
  work: Work,
  worker: Worker,
  run: () => T | Promise<T>,
): Promise<T> {
  const begun = beginWork(work, worker)
  const place = begun instanceof Promise ? await begun : begun
  if (!place) return run()
  try {
    return await runInPlace(place, run)
  } finally {
    place.end()
  }
}

/** The part of a network that takes its turns by itself. */
function turnKey(caller: Caller): string {
  const { userId } = caller.actor
  if (userId === null || !isStranger(caller)) return callerKey(caller)
  return `strangers ${userId % strangerTurns}`
}

/** Measures the work of networks, those of a site (IPv6) as one; threads that are busy for it (`threadMs`) count as well. */
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
    const places = new NetworkPlaces(name, measure, (ms, now) => add(name, network, ms, now))
    const network: Network = { places, uncountedMs: 0, rejection: undefined }
    networks.set(name, network)
    return network
  }
  const add = (name: string, network: Network, ms: number, now: Instant): void => {
    shares.add(name, ms, performance.now())
    network.uncountedMs += ms
    if (limits) void count(limits, name, network, now)
  }
  return {
    begin: (name, caller, now) => {
      const network = find(siteOf(name))
      const { rejection, places } = network
      if (rejection && now < rejection.until) throw rejection.problem
      return places.take(caller, now)
    },
    measure: (network, now) => {
      const name = siteOf(network)
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

/** Counts the work of a network in its allowance, and rejects its requests without any left. */
async function count(
  { counters }: Limits,
  name: string,
  network: Network,
  now: Instant,
): Promise<void> {
  const ms = Math.floor(network.uncountedMs)
  if (ms < countedStepMs) return
  network.uncountedMs -= ms
  const result = await counters.spend(`work ${name}`, workAllowance, ms, now)
  if (result.allowed) return
  const problem = tooManyRequestsProblem({ ...workAllowance, name: 'work' }, result)
  network.rejection = { until: now + result.retryAfterMs, problem }
}

/** Forgets networks without requests, those known longest first, until half are left. */
function forgetIdle(networks: Map<string, Network>): void {
  for (const [name, { places }] of networks) {
    if (networks.size <= maxNetworks / 2) return
    if (places.isIdle) networks.delete(name)
  }
}
