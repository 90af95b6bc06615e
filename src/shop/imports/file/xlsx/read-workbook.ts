import { writeCell } from '#http/codec/csv/cells.ts'
import { createMessage } from '#i18n/message.ts'
import { maxRecordBytes, UnreadableFileError } from '../records.ts'
import { ExpansionLimit, withArchive } from './archive.ts'
import { numberText } from './number-formats.ts'
import { brokenWorkbook, readXml } from './read-xml.ts'
import { maxCellLength, TextReader, unescapeText } from './texts.ts'
import { openFirstSheet, type Sheet } from './workbook.ts'

const maxRows = 1_048_576
const maxColumns = 16_384

/** Yields the first sheet of a workbook (ECMA-376) as CSV: an empty line for a row that it leaves out. */
export const readWorkbook = (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> =>
  withArchive(content, async function* (archive) {
    const limit = new ExpansionLimit(archive.sentBytes)
    for await (const text of readSheet(await openFirstSheet(archive))) {
      const bytes = Buffer.from(text)
      limit.add(bytes.length)
      yield bytes
    }
  })

/** A cell that is being read. */
interface OpenCell {
  readonly column: number
  readonly type: string
  readonly style: number
}

/** Turns the elements of a sheet into lines of CSV. */
class SheetReader {
  readonly #sheet: Sheet
  readonly #inline = new TextReader()
  #lines = ''
  #row = 0
  #cells: string[] = []
  #nextColumn = 0
  #length = 0
  /** The number of columns of the first row with any; undefined before it. */
  #width: number | undefined
  #cell: OpenCell | undefined
  #value = ''
  #isInValue = false

  constructor(sheet: Sheet) {
    this.#sheet = sheet
  }

  /** Returns the lines since the last call. */
  take(): string {
    const lines = this.#lines
    this.#lines = ''
    return lines
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#beginRow(attributes['r'])
    else if (name === 'c') this.#beginCell(attributes)
    else if (name === 'v') this.#isInValue = true
    else if (this.#cell?.type === 'inlineStr') this.#inline.open(name)
  }

  add(text: string): void {
    if (this.#isInValue) {
      this.#value += text
      if (this.#value.length > maxCellLength) throw brokenWorkbook()
    } else if (this.#cell?.type === 'inlineStr') this.#inline.add(text)
  }

  close(name: string): void {
    if (name === 'v') this.#isInValue = false
    else if (name === 'c') this.#endCell()
    else if (name === 'row') this.#endRow()
    else if (this.#cell?.type === 'inlineStr') this.#inline.close(name)
  }

  #beginRow(number: string | undefined): void {
    const row = number === undefined ? this.#row + 1 : Number(number)
    if (!Number.isInteger(row) || row <= this.#row || row > maxRows) throw brokenWorkbook()
    this.#lines += '\n'.repeat(row - this.#row - 1)
    this.#row = row
    this.#cells = []
    this.#nextColumn = 0
    this.#length = 0
  }

  #beginCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    const column = r === undefined ? this.#nextColumn : columnOf(r)
    if (column < this.#nextColumn || column >= maxColumns) throw brokenWorkbook()
    this.#nextColumn = column + 1
    this.#cell = { column, type: t, style: Number(s) }
    this.#value = ''
    this.#inline.begin()
  }

  #endCell(): void {
    if (!this.#cell) return
    const { column } = this.#cell
    const text = this.#textOf(this.#cell)
    this.#cell = undefined
    if (text === '') return
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells.push(writeCell(text))
    this.#length += text.length
    if (this.#length > maxRecordBytes) {
      const values = { line: this.#row, limit: maxRecordBytes }
      throw new UnreadableFileError(createMessage('import.long_record', values))
    }
  }

  #textOf({ type, style }: OpenCell): string {
    switch (type) {
      case 's':
        return this.#sheet.texts[Number(this.#value)] ?? ''
      case 'inlineStr':
        return this.#inline.end()
      case 'b':
        return this.#value === '' ? '' : String(this.#value.trim() === '1')
      case 'n':
        return numberText(
          this.#value,
          this.#sheet.forms[style] ?? { kind: 'plain' },
          this.#sheet.dates,
        )
      default:
        return unescapeText(this.#value)
    }
  }

  #endRow(): void {
    const cells = this.#cells
    if (cells.length > 0) this.#width ??= cells.length
    while (cells.length > 0 && cells.length < (this.#width ?? 0)) cells.push('')
    this.#lines += `${cells.join(',')}\n`
  }
}

/** Returns the number of a column, from 0, of a reference such as `AB12`. */
function columnOf(reference: string): number {
  const letters = /^[A-Za-z]{1,3}/.exec(reference)?.[0] ?? ''
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

async function* readSheet(sheet: Sheet): AsyncGenerator<string> {
  const reader = new SheetReader(sheet)
  const handlers = {
    onOpen: (name: string, attributes: Readonly<Record<string, string>>) =>
      reader.open(name, attributes),
    onText: (text: string) => reader.add(text),
    onClose: (name: string) => reader.close(name),
  }
  for await (const _ of readXml(sheet.rows, handlers)) {
    const lines = reader.take()
    if (lines !== '') yield lines
  }
}
