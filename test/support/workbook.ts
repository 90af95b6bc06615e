import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** Returns a ZIP archive of these texts, by their names. */
export function zipOf(texts: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [name, text] of Object.entries(texts)) archive.addBuffer(Buffer.from(text), name)
  archive.end()
  return buffer(archive.outputStream as Readable)
}

const rels = (targets: readonly (readonly [id: string, kind: string, target: string])[]) =>
  `<Relationships>${targets
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="x/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** Returns a workbook of a sheet with this content, with texts that cells share and formats by style. */
export const workbookOf = (
  rows: string,
  {
    texts = [],
    formats = [],
    dates = '',
  }: { texts?: readonly string[]; formats?: readonly string[]; dates?: string } = {},
): Promise<Buffer> =>
  zipOf({
    '_rels/.rels': rels([['a', 'officeDocument', '/xl/workbook.xml']]),
    'xl/workbook.xml': `<x:workbook xmlns:x="m" xmlns:r="r">${dates}<x:sheets>
      <x:sheet name="Chart" r:id="c"/><x:sheet name="First" r:id="s"/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': rels([
      ['c', 'chartsheet', 'chartsheets/sheet1.xml'],
      ['s', 'worksheet', 'worksheets/First.xml'],
      ['t', 'sharedStrings', 'sharedStrings.xml'],
      ['f', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf/>${formats
      .map((_, at) => `<xf numFmtId="${200 + at}"/>`)
      .join('')}<xf numFmtId="22"/></cellXfs></styleSheet>`,
    'xl/worksheets/first.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
