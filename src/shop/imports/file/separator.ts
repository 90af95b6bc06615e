/** What stands between the cells of a CSV file; a comma is the first choice. */
const separators = [',', ';', '\t', '|'] as const

/** The line with which Excel tells what stands between cells. */
const separatorLine = /^"?sep=([,;\t|])"?(?=\r?\n)/i
const longestSeparatorLine = 9

/**
 * Yields a text without a `sep=` line at its beginning, of which the line break stays, so that lines keep their
 * numbers; tells `onSeparator` what it says.
 */
export async function* withoutSeparatorLine(
  text: AsyncIterable<Buffer>,
  onSeparator: (separator: string) => void,
): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of text) {
    if (!start) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < longestSeparatorLine) continue
    yield cutLine(start, onSeparator)
    start = undefined
  }
  if (start) yield cutLine(start, onSeparator)
}

function cutLine(start: Buffer, onSeparator: (separator: string) => void): Buffer {
  const [line = '', separator] = separatorLine.exec(start.toString('latin1', 0, 9)) ?? []
  if (separator !== undefined) onSeparator(separator)
  return start.subarray(line.length)
}

/** Splits the first record of a text into cells, as far as the text has it; quotes are not taken off. */
function firstCells(text: string, separator: string): readonly string[] {
  const cells: string[] = []
  let isQuoted = false
  let start = 0
  let at = 0
  for (; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === separator) {
      cells.push(text.slice(start, at))
      start = at + 1
    } else if (character === '\n' || character === '\r') {
      if (at > 0 && cells.length + at - start > 0) break
      start = at + 1
    }
  }
  return [...cells, text.slice(start, at)]
}

const unquoted = (cell: string): string => cell.trim().replace(/^"|"$/g, '').replaceAll('""', '"')

/**
 * Returns what stands between the cells of a CSV file by its first record: what makes the most known columns of it,
 * and then the most cells.
 */
export function findSeparator(start: string, isKnown: (column: string) => boolean): string {
  let best = { separator: ',', known: 0, cells: 1 }
  for (const separator of separators) {
    const cells = firstCells(start, separator)
    const known = cells.filter((cell) => isKnown(unquoted(cell))).length
    if (known > best.known || (known === best.known && cells.length > best.cells)) {
      best = { separator, known, cells: cells.length }
    }
  }
  return best.separator
}
