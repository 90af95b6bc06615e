import { textOf } from '#http/codec/csv/cells.ts'
import { escapeText } from '#http/codec/xml/text.ts'

/** What XML cannot have or changes, and what a reader would take for the form that stands for such a character. */
const unsafeInXml = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu

/** The forms of ECMA-376 part 1, 22.9.2.19. */
const escapeCharacter = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** Returns a cell: a number, a boolean, or a text, which never is a formula; empty for null. */
function writeSheetCell(value: unknown): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${Number(value)}</v></c>`
  const text = textOf(value)
  if (text === '') return '<c/>'
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeText(text.replace(unsafeInXml, escapeCharacter))}</t></is></c>`
}

/** Returns a row of a sheet (ECMA-376 part 1, 18.3.1.73). */
export const writeSheetRow = (values: readonly unknown[]): string =>
  `<row>${values.map(writeSheetCell).join('')}</row>`
