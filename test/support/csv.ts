/** Parses CSV as RFC 4180 defines it, with a record of names, and returns the cells of each row by name. */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...records] = recordsOf(text)
  return records.map((cells) => {
    if (cells.length !== names.length) throw new Error(`${cells.length} cells: ${cells.join()}`)
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

/** The names of the columns. */
export const csvColumns = (text: string): readonly string[] => recordsOf(text)[0] ?? []

function recordsOf(text: string): readonly (readonly string[])[] {
  if (text !== '' && !text.endsWith('\r\n')) throw new Error('The last record has no end')
  const records: string[][] = []
  let record: string[] = []
  // A cell, quoted or not, and what ends it.
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (const [, quoted, plain = '', end] of text.matchAll(cells)) {
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    records.push(record)
    record = []
  }
  const read = records.flatMap((each) => each.map(() => 1)).length + record.length
  if (read === 0 && text !== '') throw new Error('The text is no CSV')
  return records
}
