/** The samples of a scrape: each series, as it is written, with its value. */
export type Samples = ReadonlyMap<string, number>

/** Parses the text format of Prometheus 0.0.4. */
export const parseMetrics = (text: string): Samples =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )
