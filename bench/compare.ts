import type { Child } from './child.ts'
import { type LoadReport, runLoad, type Scenario } from './load.ts'

/** One server and what to do to it. */
export interface Side {
  readonly child: Child
  readonly scenario: Scenario
}

/** How long each measurement takes, how many of them, over how many connections. */
export interface Effort {
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
}

/** Two sides measured under the same conditions; each figure is the median of its rounds. */
export interface Comparison {
  readonly name: string
  readonly server: Figures
  readonly floor: Figures
  readonly ratio: number
}

/** The medians of one side. */
interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly generatorBusy: number
}

const warmUpSeconds = 2

/** Measures both sides in alternation, so that a machine that slows down slows both. */
export async function compare(
  name: string,
  effort: Effort,
  sides: { readonly server: Side; readonly floor: Side },
): Promise<Comparison> {
  const reports = { server: [] as LoadReport[], floor: [] as LoadReport[] }
  const order = ['server', 'floor'] as const
  for (const side of order) await press(sides[side], effort.connections, warmUpSeconds)
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const side of order) {
      reports[side].push(await press(sides[side], effort.connections, effort.seconds))
    }
  }
  const server = mediansOf(reports.server)
  const floor = mediansOf(reports.floor)
  return { name, server, floor, ratio: server.perSecond / floor.perSecond }
}

function press(side: Side, connections: number, seconds: number): Promise<LoadReport> {
  return runLoad({ port: side.child.port, scenario: side.scenario, connections, seconds })
}

function mediansOf(reports: readonly LoadReport[]): Figures {
  const of = (figure: keyof Figures) => median(reports.map((report) => report[figure]))
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    generatorBusy: of('generatorBusy'),
  }
}

/** The middle one of these numbers, the lower of two. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN
}
