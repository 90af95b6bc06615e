import { posix } from 'node:path'
import { createMessage } from '#i18n/message.ts'
import { UnreadableFileError } from '../records.ts'
import type { Archive } from './archive.ts'
import { type DateSystem, type NumberForm, numberForm } from './number-formats.ts'
import { brokenWorkbook, readWholeXml } from './read-xml.ts'
import { TextReader } from './texts.ts'

/** What the first sheet of a workbook is made of. */
export interface Sheet {
  readonly rows: AsyncIterable<Buffer>
  /** The texts that cells share, by their number. */
  readonly texts: readonly string[]
  /** How numbers are shown, by the number of the style. */
  readonly forms: readonly NumberForm[]
  readonly dates: DateSystem
}

/** The kinds of parts that are read, by the end of the type of their relationship. */
interface Target {
  readonly kind: string
  readonly path: string
}

/** Finds the first sheet of a workbook. Throws an UnreadableFileError without one. */
export async function openFirstSheet(archive: Archive): Promise<Sheet> {
  const root = await readTargets(archive, '')
  const main = [...root.values()].find(({ kind }) => kind === 'officeDocument')
  const path = main?.path ?? 'xl/workbook.xml'
  const targets = await readTargets(archive, path)
  const { sheets, dates } = await readWorkbook(archive, path)
  const first = sheets.map((id) => targets.get(id)).find((target) => target?.kind === 'worksheet')
  const rows = first && archive.read(first.path)
  if (!rows) throw brokenWorkbook()
  const pathOf = (kind: string) => [...targets.values()].find((each) => each.kind === kind)?.path
  return {
    rows,
    texts: await readTexts(archive, pathOf('sharedStrings')),
    forms: await readForms(archive, pathOf('styles')),
    dates,
  }
}

/** Reads where the relationships of a part lead, by their IDs. */
async function readTargets(archive: Archive, of: string): Promise<ReadonlyMap<string, Target>> {
  const folder = posix.dirname(of)
  const targets = new Map<string, Target>()
  const chunks = archive.read(`${folder}/_rels/${posix.basename(of)}.rels`.replace(/^\.\//, ''))
  if (!chunks) return targets
  await readWholeXml(chunks, {
    onOpen: (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return
      const path = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      targets.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), path })
    },
  })
  return targets
}

/** Reads the IDs of the sheets in their order, and how dates are counted. */
async function readWorkbook(archive: Archive, path: string) {
  const chunks = archive.read(path)
  if (!chunks) throw brokenWorkbook()
  const sheets: string[] = []
  let dates: DateSystem = 1900
  await readWholeXml(chunks, {
    onOpen: (name, attributes) => {
      if (name === 'workbookPr' && /^(1|true)$/.test(attributes['date1904'] ?? '')) dates = 1904
      const [, id] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      if (name === 'sheet' && id !== undefined) sheets.push(id)
    },
  })
  return { sheets, dates: dates as DateSystem }
}

/** The characters of all texts that cells share, which are kept in memory. */
const maxSharedLength = 67_108_864
/** What keeping one costs besides its characters. */
const textOverhead = 16

async function readTexts(archive: Archive, path: string | undefined): Promise<readonly string[]> {
  const chunks = path === undefined ? undefined : archive.read(path)
  if (!chunks) return []
  const texts: string[] = []
  let length = 0
  const reader = new TextReader()
  await readWholeXml(chunks, {
    onOpen: (name) => (name === 'si' ? reader.begin() : reader.open(name)),
    onText: (text) => reader.add(text),
    onClose: (name) => {
      if (name !== 'si') return reader.close(name)
      const text = reader.end()
      texts.push(text)
      length += text.length + textOverhead
      if (length > maxSharedLength) {
        throw new UnreadableFileError(createMessage('import.large_workbook'))
      }
    },
  })
  return texts
}

async function readForms(
  archive: Archive,
  path: string | undefined,
): Promise<readonly NumberForm[]> {
  const chunks = path === undefined ? undefined : archive.read(path)
  if (!chunks) return []
  const codes = new Map<number, string>()
  const forms: NumberForm[] = []
  let isOfCells = false
  await readWholeXml(chunks, {
    onOpen: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId)
      if (name === 'numFmt') codes.set(id, formatCode)
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) forms.push(numberForm(id, codes.get(id)))
    },
    onClose: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return forms
}
