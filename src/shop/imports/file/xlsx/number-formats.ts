/** How the cells of a style show their numbers. */
export type NumberForm =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' }
  /** With leading zeros up to a number of digits. */
  | { readonly kind: 'padded'; readonly digits: number }

const plain: NumberForm = { kind: 'plain' }
const date: NumberForm = { kind: 'date' }

/** The numbers of the formats of dates and times that every workbook has (ECMA-376 part 1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58)

/** What a format shows as it is, and colours, conditions and languages. */
const literals = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi

/** Returns the form of a format by its number, or by its code where the workbook declares it. */
export function numberForm(id: number, code: string | undefined): NumberForm {
  if (code === undefined) return isBuiltInDate(id) ? date : plain
  const [positive = ''] = code.replace(literals, '').split(';')
  if (/^0{2,}$/.test(positive)) return { kind: 'padded', digits: positive.length }
  return /[dmyhs]/i.test(positive.replace(/general/gi, '')) ? date : plain
}

const dayMs = 86_400_000
/** The days from the beginning of the count to that of 1970; it begins in 1900 or in 1904. */
const daysBefore1970 = { 1900: 25_569, 1904: 24_107 } as const
/** The greatest day that spreadsheets know: the end of 9999. */
const maxDay = 2_958_466

/** From which year on a workbook counts days. */
export type DateSystem = keyof typeof daysBefore1970

/** Returns a time of a spreadsheet in ISO 8601: a day, a time of day, or both in UTC. */
function dateText(days: number, system: DateSystem): string | undefined {
  if (days < 0 || days >= maxDay) return undefined
  const ms = Math.round((days * dayMs) / 1000) * 1000
  const text = new Date(ms - daysBefore1970[system] * dayMs).toISOString()
  if (days < 1) return text.slice(11, 19)
  return ms % dayMs === 0 ? text.slice(0, 10) : `${text.slice(0, 19)}Z`
}

/** Returns a number in digits, without what the binary form adds after the fifteenth. */
function digitsOf(number: number): string {
  const rounded = Number(number.toPrecision(15))
  const text = String(rounded)
  if (!text.includes('e')) return text
  return Math.abs(rounded) >= 1
    ? BigInt(rounded).toString()
    : rounded.toFixed(20).replace(/0+$/, '')
}

/** Returns the text of a number in a workbook; a number that is none stays as it is. */
export function numberText(value: string, form: NumberForm, system: DateSystem): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  if (form.kind === 'date') return dateText(number, system) ?? digitsOf(number)
  const text = digitsOf(number)
  return form.kind === 'padded' && /^\d+$/.test(text) ? text.padStart(form.digits, '0') : text
}
