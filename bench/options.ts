import { parseArgs } from 'node:util'
import { chosen, defaultPostgres, positive } from './arguments.ts'
import type { Effort } from './compare.ts'

/** What can be measured, in the order in which it is. */
const measurements = [
  'product',
  'list',
  'unchanged',
  'xml',
  'credentials',
  'order',
  'checkout',
  'start',
  'growth',
  'soak',
  'postgres',
  'workers',
  'growth-postgres',
] as const

/** The name of one measurement. */
export type Measurement = (typeof measurements)[number]

/** What the command line asks for. */
export interface Options {
  readonly effort: Effort
  readonly entry: string
  readonly wanted: ReadonlySet<Measurement>
  /** How many products and orders the databases have whose times are compared. */
  readonly small: number
  readonly large: number
  /** How long each of their requests is repeated in each round. */
  readonly growthSeconds: number
  /** How long the soak over the large number of products takes. */
  readonly minutes: number
  /** At least at the size and for the time that are aimed at. */
  readonly isWhole: boolean
  /** A database whose user may create others. */
  readonly postgres: string
  readonly pgbench: string | undefined
}

/** The size and the time that are aimed at, and those of a run that is to be over soon. */
const whole = { large: 1_000_000, minutes: 10 }
const quick = { large: 50_000, minutes: 1 }

/** Reads the command line; throws with one sentence where it makes no sense. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      only: { type: 'string', multiple: true, default: [] },
      entry: { type: 'string', default: 'src/main.ts' },
      whole: { type: 'boolean', default: false },
      small: { type: 'string', default: '1000' },
      large: { type: 'string' },
      minutes: { type: 'string' },
      postgres: { type: 'string', default: defaultPostgres },
      pgbench: { type: 'string' },
    },
  })
  const size = values.whole ? whole : quick
  const effort = {
    seconds: positive('seconds', values.seconds),
    rounds: Math.ceil(positive('rounds', values.rounds)),
    connections: Math.ceil(positive('connections', values.connections)),
  }
  const large = Math.ceil(positive('large', values.large ?? String(size.large)))
  const minutes = positive('minutes', values.minutes ?? String(size.minutes))
  return {
    effort,
    entry: values.entry,
    wanted: chosen(values.only, measurements),
    small: Math.ceil(positive('small', values.small)),
    large,
    growthSeconds: values.whole ? 1 : effort.seconds / 8,
    minutes,
    isWhole: large >= whole.large && minutes >= whole.minutes,
    postgres: values.postgres,
    pgbench: values.pgbench,
  }
}
