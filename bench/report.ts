import type { Comparison } from './compare.ts'

/** A figure to reach; without one the measurement only informs. */
export interface Target {
  readonly text: string
  readonly met: boolean
}

/** One line of the report. */
export interface Line {
  readonly name: string
  readonly server: string
  readonly floor?: string
  readonly ratio?: string
  readonly latency?: string
  readonly target?: Target
}

/** Lines, and what there is to say about them: what was left out and why, how large it was. */
export interface Report {
  readonly lines: readonly Line[]
  readonly notes: readonly string[]
}

/** From this share of a core on, the generator may be what is slow, not what it measures. */
const generatorLimit = 0.9

/** Puts a comparison in words, with what it was to reach. */
export function describeComparison(comparison: Comparison, target?: Target): Line {
  const { name, server, floor, ratio } = comparison
  const limited = Math.max(server.generatorBusy, floor.generatorBusy) > generatorLimit
  return {
    name: limited ? `${name} (generator at its limit)` : name,
    server: `${whole(server.perSecond)}/s`,
    floor: `${whole(floor.perSecond)}/s`,
    ratio: ratio.toFixed(2),
    latency: `${server.p50Ms.toFixed(2)} / ${server.p99Ms.toFixed(2)}`,
    ...(target && { target }),
  }
}

/** A ratio that is to be at least so much of something. */
export const atLeast = (ratio: number, least: number, of: string): Target => ({
  text: `≥ ${least} of ${of}`,
  met: ratio >= least,
})

/** A figure that is to stay below a bound, in this unit. */
export const below = (figure: number, bound: number, unit: string): Target => ({
  text: `< ${whole(bound)} ${unit}`,
  met: figure < bound,
})

/** Lays a report out: the table, unless it is empty, and below it one paragraph a note. */
export const layOutReport = ({ lines, notes }: Report): string =>
  [...(lines.length > 0 ? [layOut(lines)] : []), ...notes].join('\n\n')

/** Lays the lines out as a Markdown table. */
export function layOut(lines: readonly Line[]): string {
  const head = ['', 'server', 'floor', 'ratio', 'p50 / p99 ms', 'to reach', '']
  const rows = lines.map((line) => [
    ...[line.name, line.server, line.floor ?? '', line.ratio ?? '', line.latency ?? ''],
    ...(line.target ? [line.target.text, line.target.met ? 'met' : 'missed'] : ['', '']),
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), 3),
  )
  const [first = 3, ...others] = widths
  const join = (row: string[]) => {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(first) : cell.padStart(widths[at] ?? 0),
    )
    return `| ${cells.join(' | ')} |`
  }
  const rule = [`${'-'.repeat(first)}`, ...others.map((width) => `${'-'.repeat(width - 1)}:`)]
  return [join(head), join(rule), ...rows.map(join)].join('\n')
}

/** A whole number with its thousands apart. */
export function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}
