import { combine, type Figures } from './figures.ts'
import { quantile } from './statistics.ts'

/** A target for a measured figure. */
export interface Target {
  readonly text: string
  readonly met: boolean
}

/** One line of the report; without a target it only informs. */
export interface Line {
  readonly name: string
  readonly server: string
  readonly baseline?: string
  readonly ratio?: string
  readonly target?: Target
  readonly perSecond?: string
  readonly latency?: string
  /** The numbers that the line shows, for programs. */
  readonly measured?: Measured
}

/** Lines as they are measured. */
export type Lines = AsyncGenerator<Line, void>

/** Latencies of whole iterations on each side, of which `rate` began each second. */
export interface Latencies {
  readonly rate: number
  readonly percentiles: readonly { readonly p50Ms: number; readonly p99Ms: number }[]
}

/** What was measured of a server and of its baseline. */
export interface Measured {
  readonly server: Figures
  readonly baseline?: Figures
  readonly latencies?: Latencies
}

// Less than a microsecond is that of the jobs of the server.
const leastDatabaseMicros = 1

/**
 * Returns the line of a request, whose ratio is that of the processor times, and another one for the time
 * of PostgreSQL where it worked.
 */
export function requestLines(
  name: string,
  measured: Measured,
  targetOf?: (ratio: number) => Target,
): readonly Line[] {
  const { server, baseline, latencies } = measured
  const rates = [server, ...(baseline ? [baseline] : [])].map((side) =>
    integer(side.requestsPerSecond),
  )
  const line = {
    ...timeLine(name, server.microsPerRequest, baseline?.microsPerRequest, targetOf),
    perSecond: rates.join(' and '),
    ...(latencies && { latency: formatLatencies(latencies) }),
    measured,
  }
  const micros = server.databaseMicrosPerRequest
  if (!(micros >= leastDatabaseMicros)) return [line]
  return [line, timeLine(`${name}, PostgreSQL itself`, micros, baseline?.databaseMicrosPerRequest)]
}

/** Returns the lines of two servers from their figures of some rounds; the ratios are by round. */
export function roundsLines(
  name: string,
  rounds: readonly (readonly Figures[])[],
): readonly Line[] {
  const [server, baseline] = [0, 1].map((side) =>
    combine(
      rounds.flatMap((sides) => sides[side] ?? []),
      0.5,
    ),
  )
  if (!server || !baseline) return []
  const times = ['microsPerRequest', 'databaseMicrosPerRequest'] as const
  return requestLines(name, { server, baseline }).map((line, at) => {
    const time = times[at] ?? 'microsPerRequest'
    const ratios = rounds.map(([ours, theirs]) => (ours?.[time] ?? 0) / (theirs?.[time] ?? 0))
    const [lowest, middle, highest] = [0, 0.5, 1].map((part) => quantile(ratios, part).toFixed(2))
    return { ...line, ratio: `${middle} (${lowest}–${highest})` }
  })
}

function timeLine(
  name: string,
  micros: number,
  besideMicros = Number.NaN,
  targetOf?: (ratio: number) => Target,
): Line {
  const line = { name, server: formatMicros(micros) }
  const ratio = micros / besideMicros
  if (!(ratio > 0)) return line
  return {
    ...line,
    baseline: formatMicros(besideMicros),
    ratio: ratio.toFixed(2),
    ...(targetOf && { target: targetOf(ratio) }),
  }
}

function formatLatencies({ rate, percentiles }: Latencies): string {
  const sides = percentiles.map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)}`)
  return `${sides.join(' and ')} at ${integer(rate)}/s`
}

const formatMicros = (micros: number): string =>
  `${micros < 100 ? micros.toFixed(1) : integer(micros)} µs`

/** A target for a ratio that is to be at most `max` of something. */
export const atMost =
  (max: number, of: string) =>
  (ratio: number): Target => ({ text: `≤ ${max} of ${of}`, met: ratio <= max })

/** A target for a figure that is to stay below `bound`. */
export const below = (figure: number, bound: number, unit: string): Target => ({
  text: `< ${integer(bound)} ${unit}`,
  met: figure < bound,
})

/** Formats lines as a Markdown table; `sides` name its columns of figures. */
export function formatTable(lines: readonly Line[], sides = ['server', 'baseline']): string {
  const head = ['', ...sides, 'ratio', 'goal', '', 'requests/s', 'p50 / p99 ms']
  const rows = lines.map(({ name, server, baseline, ratio, target, perSecond, latency }) => [
    ...[name, server, baseline ?? '', ratio ?? '', target?.text ?? ''],
    target ? (target.met ? 'met' : 'missed') : '',
    ...[perSecond ?? '', latency ?? ''],
  ])
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const format = (row: readonly string[]) => {
    const cells = widths.map((width, column) =>
      column === 0 ? row[column]?.padEnd(width) : row[column]?.padStart(width),
    )
    return `| ${cells.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [head, rule, ...rows].map(format).join('\n')
}

/** Formats a whole number with thousands separators. */
export const integer = (number: number): string => Math.round(number).toLocaleString('en-US')
