import type { Child } from './child.ts'
import { runLoad, type Scenario } from './load.ts'

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

/** What is known of one side. */
interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly generatorBusy: number
}

/** Does something for so many seconds and tells what came of it, in numbers. */
export type Press<Found> = (seconds: number) => Promise<Found>

const warmUpSeconds = 2

/** Measures both sides in alternation, so that a machine that slows down slows both. */
export async function compare(
  name: string,
  effort: Effort,
  sides: { readonly server: Side; readonly floor: Side },
): Promise<Comparison> {
  const presses = [sides.server, sides.floor].map((side) => pressing(side, effort.connections))
  const [server, floor] = await pressInTurn(presses, effort)
  if (!server || !floor) throw new Error('there are two sides to compare')
  return { name, server, floor, ratio: server.perSecond / floor.perSecond }
}

/** Warms all of them up, then presses them in alternation; each number is the median of its rounds. */
export async function pressInTurn<Found extends Readonly<Record<keyof Found, number>>>(
  presses: readonly Press<Found>[],
  { seconds, rounds }: Pick<Effort, 'seconds' | 'rounds'>,
): Promise<readonly Found[]> {
  const found = presses.map((press) => ({ press, reports: [] as Found[] }))
  for (const { press } of found) await press(warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    for (const { press, reports } of found) reports.push(await press(seconds))
  }
  return found.map(({ reports }) => mediansOf(reports))
}

function pressing({ child, scenario }: Side, connections: number): Press<Figures> {
  return async (seconds) => {
    const report = await runLoad({ port: child.port, scenario, connections, seconds })
    const { perSecond, p50Ms, p99Ms, generatorBusy } = report
    return { perSecond, p50Ms, p99Ms, generatorBusy }
  }
}

function mediansOf<Found extends Readonly<Record<keyof Found, number>>>(
  reports: readonly Found[],
): Found {
  const names = Object.keys(reports[0] ?? {}) as (keyof Found)[]
  const medians = names.map((name) => [name, median(reports.map((report) => report[name]))])
  return Object.fromEntries(medians) as Found
}

/** The middle one of these numbers, the lower of two. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN
}
