import { combine, type Figures } from './figures.ts'
import { runLoad, type Scenario } from './load.ts'
import { type Latencies, type Line, requestLines, type Target } from './report.ts'
import type { Server } from './server.ts'
import { quantile } from './statistics.ts'

/** For how long each side is measured, and over how many connections. */
export interface Effort {
  readonly seconds: number
  readonly connections: number
}

/** Measures one side for so many seconds. */
export type Measure<Found = Figures> = (seconds: number) => Promise<Found>

/** A server and the load on it. */
export type Side = readonly [server: Server, scenario: Scenario]

const warmUpSeconds = 2
const sliceSeconds = 0.25
const latencySliceSeconds = 1
const checkEveryMs = 20
/** The rate at which latencies are measured, as a share of what the slower side can serve. */
const rateShare = 0.5

/** Measures all sides in alternating slices, each first in every other turn; returns those of each. */
export async function measureInTurn<Found>(
  measures: readonly Measure<Found>[],
  slices: number,
  seconds: number,
): Promise<readonly (readonly Found[])[]> {
  const sides = measures.map((measure) => ({ measure, found: [] as Found[] }))
  for (let slice = 0; slice < slices; slice += 1) {
    for (const { measure, found } of slice % 2 === 0 ? sides : sides.toReversed()) {
      found.push(await measure(seconds))
    }
  }
  return sides.map(({ found }) => found)
}

/** Warms all sides up, then measures each for so many seconds. */
export async function measureSides(
  measures: readonly Measure[],
  { seconds }: Pick<Effort, 'seconds'>,
): Promise<readonly Figures[]> {
  for (const measure of measures) await measure(warmUpSeconds)
  const slices = Math.ceil(seconds / sliceSeconds)
  const sides = await measureInTurn(measures, slices, sliceSeconds)
  // Neighbours on the machine only ever add to a time: the lower quartile has the least of them.
  return sides.map((figures) => combine(figures, 0.25))
}

/**
 * Measures a side by as many requests as it can serve, until it has used so many seconds of processor
 * time: as much work on a slow machine as on a fast one.
 */
export const byLoad =
  ([server, scenario]: Side, { connections }: Pick<Effort, 'connections'>): Measure =>
  async (seconds) => {
    const { port } = server
    const [before, databaseBefore] = [server.cpuSeconds(), server.databaseCpuSeconds()]
    const used = () => server.cpuSeconds() - before
    const pace = everySoOften(() => used() >= seconds)
    const { tookMs, responses, tookSeconds } = await runLoad({ port, scenario, connections, pace })
    return {
      microsPerRequest: (used() * 1e6) / responses,
      databaseMicrosPerRequest: ((server.databaseCpuSeconds() - databaseBefore) * 1e6) / responses,
      requestsPerSecond: responses / tookSeconds,
      iterationsPerSecond: tookMs.length / tookSeconds,
    }
  }

/** A condition that takes time to check, and is therefore not checked each time. */
function everySoOften(isMet: () => boolean): () => boolean {
  let checkAtMs = 0
  let result = false
  return () => {
    if (performance.now() >= checkAtMs) {
      result = isMet()
      checkAtMs = performance.now() + checkEveryMs
    }
    return result
  }
}

/** Measures the latencies of each side at the same rate. */
async function measureLatencies(
  sides: readonly Side[],
  rate: number,
  { seconds, connections }: Effort,
): Promise<Latencies> {
  const measures = sides.map(([{ port }, scenario]) => async (sliceOf: number) => {
    const pace = { rate, seconds: sliceOf }
    return (await runLoad({ port, scenario, connections, pace })).tookMs
  })
  const slices = Math.ceil(seconds / latencySliceSeconds)
  const found = await measureInTurn(measures, slices, latencySliceSeconds)
  const percentiles = found.map((tookMs) => ({
    p50Ms: quantile(tookMs.flat(), 0.5),
    p99Ms: quantile(tookMs.flat(), 0.99),
  }))
  return { rate, percentiles }
}

/** The baseline of a side, and what its line has beside processor times and throughput. */
interface Comparison {
  readonly baseline?: Side | Measure
  readonly targetOf?: (ratio: number) => Target
  readonly hasLatency?: boolean
}

/** Measures a side in alternation with its baseline: a machine that slows down slows both. */
export async function compare(
  name: string,
  effort: Effort,
  side: Side,
  { baseline, targetOf, hasLatency = true }: Comparison,
): Promise<readonly Line[]> {
  process.stdout.write(`measuring ${name}\n`)
  const sides = [side, ...(baseline ? [baseline] : [])]
  const measures = sides.map((each) => (typeof each === 'function' ? each : byLoad(each, effort)))
  const found = await measureSides(measures, effort)
  const [server, beside] = found
  if (!server) throw new Error('nothing was measured')
  const measured = { server, ...(beside && { baseline: beside }) }
  if (!hasLatency) return requestLines(name, measured, targetOf)
  const slowest = Math.min(...found.map(({ iterationsPerSecond }) => iterationsPerSecond))
  const loaded = sides.filter((each) => typeof each !== 'function')
  const latencies = await measureLatencies(loaded, slowest * rateShare, effort)
  return requestLines(name, { ...measured, latencies }, targetOf)
}
