import type { WriteStream } from 'node:tty'

/** Reports the progress of a long task. */
export interface Progress {
  readonly report: (done: number) => void
  /** Prints the total and the rate per second. */
  readonly end: (total: number) => void
}

const barWidth = 30
const linePauseMs = 5000

/** Shows the progress towards `count` items: a bar on a terminal, otherwise a line every five seconds. */
export function showProgress(
  output: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean },
  name: string,
  count: number,
): Progress {
  const startedAt = performance.now()
  const { format } = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  const rate = (done: number): string => {
    const seconds = Math.max(performance.now() - startedAt, 1) / 1000
    return `${format(done / seconds)}/s`
  }
  let nextLineAt = startedAt + linePauseMs
  const report = (done: number): void => {
    const state = `${format(done)} of ${format(count)}, ${rate(done)}`
    if (output.isTTY) {
      const filled = Math.round((barWidth * done) / count)
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
      output.write(`\r\x1b[K${name.padEnd(8)} ${bar} ${state}`)
    } else if (done < count && performance.now() >= nextLineAt) {
      nextLineAt = performance.now() + linePauseMs
      output.write(`${name}: ${state}\n`)
    }
  }
  const end = (total: number): void => {
    const start = output.isTTY ? '\r\x1b[K' : ''
    output.write(`${start}${name}: ${format(total)} added, ${rate(total)}\n`)
  }
  return { report, end }
}
