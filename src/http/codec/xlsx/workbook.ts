import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ZipFile } from 'yazl'

/** The rows that a sheet of a spreadsheet has at most. */
const maxRows = 1_048_576

/** Rows of a sheet, and how many they are. */
export interface SheetRows {
  readonly text: string
  readonly count: number
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageUri = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const sheetNumbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => at + 1)

/** The parts of a workbook besides its sheets, of which it has so many. */
function partsOf(sheetCount: number): Readonly<Record<string, string>> {
  const numbers = sheetNumbers(sheetCount)
  const sheets = numbers.map((at) => `<sheet name="Sheet${at}" sheetId="${at}" r:id="rId${at}"/>`)
  const targets = numbers.map(
    (at) =>
      `<Relationship Id="rId${at}" Type="${relationships}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
  )
  const types = numbers.map(
    (at) =>
      `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  )
  return {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageUri}/relationships">${targets.join('')}</Relationships>`,
    '_rels/.rels': `<Relationships xmlns="${packageUri}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `<Types xmlns="${packageUri}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>${types.join('')}</Types>`,
  }
}

/** A workbook that is being written. */
class WorkbookWriter {
  readonly #archive: ZipFile
  readonly #header: string
  readonly #rows: AsyncIterator<SheetRows>
  #next: IteratorResult<SheetRows> | undefined
  #sheet: Readable | undefined

  constructor(archive: ZipFile, header: string, rows: AsyncIterator<SheetRows>) {
    this.#archive = archive
    this.#header = header
    this.#rows = rows
  }

  /** Reads the first rows. */
  async begin(): Promise<void> {
    this.#next = await this.#rows.next()
  }

  /** Writes the whole workbook. */
  async write(): Promise<void> {
    let sheets = 0
    do {
      sheets += 1
      this.#sheet = Readable.from(this.#sheetText(), { objectMode: false })
      this.#archive.addReadStream(this.#sheet, `xl/worksheets/sheet${sheets}.xml`)
      await finished(this.#sheet)
    } while (!this.#next?.done)
    for (const [name, text] of Object.entries(partsOf(sheets))) {
      this.#archive.addBuffer(Buffer.from(declaration + text), name)
    }
    this.#archive.end()
  }

  /** Ends it before its end. */
  async abort(): Promise<void> {
    this.#sheet?.destroy()
    await this.#rows.return?.()
  }

  async *#sheetText(): AsyncGenerator<string> {
    yield `${declaration}<worksheet xmlns="${main}"><sheetData>${this.#header}`
    let count = 1
    for (; this.#next && !this.#next.done; this.#next = await this.#rows.next()) {
      count += this.#next.value.count
      if (count > maxRows) break
      yield this.#next.value.text
    }
    yield '</sheetData></worksheet>'
  }
}

/**
 * Yields a workbook (ECMA-376) of rows as they come. Each sheet begins with the header; a further one begins where a
 * sheet can have no more rows. The first rows are read before its first byte.
 */
export async function* writeWorkbook(
  header: string,
  rows: AsyncIterator<SheetRows>,
): AsyncGenerator<Buffer, void> {
  // Loaded on demand, since most servers export no workbook.
  const { ZipFile: Archive } = await import('yazl')
  const archive: ZipFile = new Archive()
  const output = archive.outputStream as Readable
  const writer = new WorkbookWriter(archive, header, rows)
  await writer.begin()
  const fail = (error: Error) => void output.destroy(error)
  archive.on('error', fail)
  const written = writer.write().catch(fail)
  try {
    for await (const bytes of output) yield bytes as Buffer
  } finally {
    await writer.abort()
    await written
  }
}
