import { quantile } from './statistics.ts'

/** What a load measured of one side; the times are processor time. */
export interface Figures {
  readonly microsPerRequest: number
  /** Time of PostgreSQL, which is no part of the other; 0 without it, NaN where it is not known. */
  readonly databaseMicrosPerRequest: number
  readonly requestsPerSecond: number
  readonly iterationsPerSecond: number
}

/** Combines figures of a side: of each time the value below which `part` of them lie, else medians. */
export function combine(all: readonly Figures[], part: number): Figures {
  const at = (name: keyof Figures, below: number) =>
    quantile(
      all.map((figures) => figures[name]),
      below,
    )
  return {
    microsPerRequest: at('microsPerRequest', part),
    databaseMicrosPerRequest: at('databaseMicrosPerRequest', part),
    requestsPerSecond: at('requestsPerSecond', 0.5),
    iterationsPerSecond: at('iterationsPerSecond', 0.5),
  }
}
