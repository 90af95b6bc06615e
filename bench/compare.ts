import { runLoad, type Scenario } from './load.ts'
import { comparisonLine, type Figures, type Line, type Target } from './report.ts'
import type { Server } from './server.ts'
import { median } from './statistics.ts'

/** Duration, rounds and connections of a measurement. */
export interface Effort {
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
}

/** Measures one side for so many seconds. */
export type Measure = (seconds: number) => Promise<Figures>

/** A server and the load on it. */
export type Side = readonly [server: Server, scenario: Scenario]

const warmUpSeconds = 2

/**
 * Warms all sides up, then measures them in alternation; each number is the median of its rounds.
 */
export async function measureInTurn(
  measures: readonly Measure[],
  { seconds, rounds }: Pick<Effort, 'seconds' | 'rounds'>,
): Promise<readonly Figures[]> {
  const found = measures.map((measure) => ({ measure, reports: [] as Figures[] }))
  for (const { measure } of found) await measure(warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    for (const { measure, reports } of found) reports.push(await measure(seconds))
  }
  return found.map(({ reports }) => {
    const names = Object.keys(reports[0] ?? {}) as (keyof Figures)[]
    const medians = names.map((name) => [name, median(reports.map((report) => report[name]))])
    return Object.fromEntries(medians) as Figures
  })
}

/** Measures a side by a load on it. */
export const byLoad =
  ([server, scenario]: Side, { connections }: Pick<Effort, 'connections'>): Measure =>
  async (seconds) => {
    const before = server.cpuSeconds()
    const report = await runLoad({ port: server.port, scenario, connections, seconds })
    const cpuSeconds = server.cpuSeconds() - before
    const cpuMsPerIteration = (cpuSeconds * 1e3) / report.iterations
    return {
      ...report,
      cpuMsPerIteration,
      cpuMicrosPerResponse: (cpuSeconds * 1e6) / report.responses,
    }
  }

/** The baseline of a side, and the extra columns of its line. */
interface Comparison {
  readonly baseline?: Side | Measure
  readonly targetOf?: (ratio: number, server: Figures) => Target
  readonly showsCpu?: boolean
}

/** Measures a side in alternation with its baseline: a machine that slows down slows both. */
export async function compare(
  name: string,
  effort: Effort,
  side: Side,
  { baseline, targetOf, showsCpu = false }: Comparison,
): Promise<Line> {
  process.stdout.write(`measuring ${name}\n`)
  const beside = typeof baseline === 'function' ? baseline : baseline && byLoad(baseline, effort)
  const measures = [byLoad(side, effort), ...(beside ? [beside] : [])]
  const [ours, theirs] = await measureInTurn(measures, effort)
  if (!ours) throw new Error('nothing was measured')
  const shown = showsCpu ? `${name} (${ours.cpuMsPerIteration.toFixed(2)} ms of CPU)` : name
  return comparisonLine(shown, ours, theirs, targetOf && ((ratio) => targetOf(ratio, ours)))
}
