import type { LoadReport } from './load.ts'

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
  readonly latency?: string
  readonly target?: Target
}

/** Lines as they are measured. */
export type Lines = AsyncGenerator<Line, void>

/** What was measured of one side, with the processor time of the first process of the server. */
export interface Figures extends LoadReport {
  readonly cpuMsPerIteration: number
  readonly cpuMicrosPerResponse: number
}

/** The line of a side and, where there is one, of the baseline beside it. */
export function comparisonLine(
  name: string,
  server: Figures,
  baseline?: Figures,
  targetOf?: (ratio: number) => Target,
): Line {
  const ratio = baseline ? server.perSecond / baseline.perSecond : Number.NaN
  // Above this share of a core, the generator may be the bottleneck.
  const isLimited = [server, baseline].some((side) => (side?.generatorBusy ?? 0) > 0.9)
  return {
    name: isLimited ? `${name} (generator at its limit)` : name,
    server: `${integer(server.perSecond)}/s`,
    latency: `${server.p50Ms.toFixed(2)} / ${server.p99Ms.toFixed(2)}`,
    ...(baseline && { baseline: `${integer(baseline.perSecond)}/s`, ratio: ratio.toFixed(2) }),
    ...(targetOf && { target: targetOf(ratio) }),
  }
}

/** A target for a ratio that is to be at least `min` of something. */
export const atLeast =
  (min: number, of: string) =>
  (ratio: number): Target => ({ text: `≥ ${min} of ${of}`, met: ratio >= min })

/** A target for a figure that is to stay below `bound`. */
export const below = (figure: number, bound: number, unit: string): Target => ({
  text: `< ${integer(bound)} ${unit}`,
  met: figure < bound,
})

/** Formats lines as a Markdown table. */
export function formatTable(lines: readonly Line[]): string {
  const head = ['', 'server', 'baseline', 'ratio', 'p50 / p99 ms', 'to reach', '']
  const rows = lines.map(({ name, server, baseline, ratio, latency, target }) => [
    ...[name, server, baseline ?? '', ratio ?? '', latency ?? '', target?.text ?? ''],
    target ? (target.met ? 'met' : 'missed') : '',
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
