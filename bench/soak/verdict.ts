import { median } from '../compare.ts'
import { below, type Line, whole } from '../report.ts'
import type { Soaked } from './load.ts'

/** What a soak has shown; the samples are megabytes of RSS, as far apart as each other. */
export interface Findings {
  readonly samples: readonly number[]
  readonly soaked: Pick<Soaked, 'statuses' | 'total'>
  readonly seconds: number
  /** The median of some starts over its database. */
  readonly readyMs: number
}

/** The bounds of a soak, which are those of its starts too. */
const mostMegabytes = 250
const mostReadyMs = 1_000
// What a garbage collector does not give back at once is no leak; what a leak keeps, it keeps on.
const mostGrowthMegabytes = 10

/** Judges a soak of so many minutes over so many products. */
export function linesOf(
  { samples, soaked, seconds, readyMs }: Findings,
  { minutes, products }: { readonly minutes: number; readonly products: number },
): Line[] {
  const most = Math.max(...samples)
  const growth = growthOf(samples)
  const faults = [...soaked.statuses].filter(([status]) => status >= 500 && status !== 503)
  const soak = `soak of ${minutes} min over ${whole(products)}`
  return [
    {
      name: `${soak}: RSS at most`,
      server: `${whole(most)} MB`,
      target: below(most, mostMegabytes, 'MB'),
    },
    {
      name: `${soak}: growth in its second half`,
      server: `${growth.toFixed(1)} MB`,
      target: below(growth, mostGrowthMegabytes, 'MB'),
    },
    {
      name: `${soak}: requests, ${whole(soaked.total)} in all`,
      server: `${whole(soaked.total / seconds)}/s`,
      target: { text: 'no error', met: faults.length === 0 },
    },
    {
      name: `ready with its database of ${whole(products)}`,
      server: `${whole(readyMs)} ms`,
      target: below(readyMs, mostReadyMs, 'ms'),
    },
  ]
}

/** How much more megabytes the last quarter of the samples has than the third, by their medians. */
function growthOf(samples: readonly number[]): number {
  const second = samples.slice(Math.floor(samples.length / 2))
  const middle = Math.floor(second.length / 2)
  return median(second.slice(middle)) - median(second.slice(0, middle))
}
