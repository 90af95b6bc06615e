import { parseArgs } from 'node:util'
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
] as const

/** The name of one measurement. */
type Measurement = (typeof measurements)[number]

/** What the command line asks for. */
export interface Options {
  readonly effort: Effort
  readonly entry: string
  readonly wanted: ReadonlySet<Measurement>
}

/** Reads the command line; throws with one sentence where it makes no sense. */
export function readOptions(defaultEntry: string): Options {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      only: { type: 'string', multiple: true, default: [] },
      entry: { type: 'string', default: defaultEntry },
    },
  })
  const effort = {
    seconds: positive('seconds', values.seconds),
    rounds: Math.ceil(positive('rounds', values.rounds)),
    connections: Math.ceil(positive('connections', values.connections)),
  }
  const named = values.only.flatMap((names) => names.split(','))
  const wanted = new Set(named.length === 0 ? measurements : named.map(toMeasurement))
  return { effort, entry: values.entry, wanted }
}

function toMeasurement(name: string): Measurement {
  const found = measurements.find((measurement) => measurement === name)
  if (!found) throw new Error(`--only takes ${measurements.join(', ')}; not "${name}"`)
  return found
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a positive number, not "${text}"`)
  return value
}
