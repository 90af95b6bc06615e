import { parseDecimal, parseInteger } from '#http/codec/wire-text.ts'
import { createMessage } from '#i18n/message.ts'
import { categoryPathField } from '../category-path.ts'
import { type ImageSource, imagesField, urlsOf } from '../images/image-sources.ts'
import type { CellContext, ColumnRule, Fields } from './format.ts'

const orNull = (cell: string): string | null => (cell === '' ? null : cell)

/** A text as it is. */
export const text = (field: string): ColumnRule => ({
  read: (cell) => ({ [field]: orNull(cell) }),
})

/** The name of a product in addresses, in the letters that these have here. */
export const urlName: ColumnRule = {
  read: (cell) => ({ handle: orNull(cell.toLowerCase().replace(/[_.\s]+/g, '-')) }),
}

/** URLs of images; what is none is left out and told. */
const imagesOf = (cell: string, { warn }: CellContext): readonly ImageSource[] => {
  const urls = urlsOf(cell)
  const web = urls.filter((url) => /^https?:/i.test(url))
  for (const url of urls) {
    if (!web.includes(url)) warn(imagesField, url, createMessage('field.uri'))
  }
  return web.map((url) => ({ url, alt: '' }))
}

/** The images of a product, of which the first one is shown until it was fetched. */
export const images: ColumnRule = {
  read: (cell, ctx) => {
    const found = imagesOf(cell, ctx)
    return { image_url: found[0]?.url ?? null, [imagesField]: found }
  },
}

/** Further images of a product. */
export const moreImages: ColumnRule = {
  read: (cell, ctx) => ({ [imagesField]: imagesOf(cell, ctx) }),
}

/** Returns fields with what their images show, in their order. */
export function withAlts(fields: Fields, alts: readonly string[]): Fields {
  const found = fields[imagesField] as readonly ImageSource[] | undefined
  if (!found) return fields
  return { ...fields, [imagesField]: found.map((each, at) => ({ ...each, alt: alts[at] ?? '' })) }
}

/** Words between separators. */
export const list = (field: string, separator: string | RegExp = ','): ColumnRule => ({
  read: (cell) => ({ [field]: wordsOf(cell, separator) }),
})

/** Returns the words between separators; a comma behind a backslash separates none. */
export const wordsOf = (cell: string, separator: string | RegExp): readonly string[] =>
  cell
    .split(separator === ',' ? /(?<!\\),/ : separator)
    .map((each) => each.trim().replaceAll('\\,', ','))
    .filter((each) => each !== '')

/** The first word between separators. */
export const first = (field: string, separator: string | RegExp = ','): ColumnRule => ({
  read: (cell) => ({ [field]: wordsOf(cell, separator)[0] ?? null }),
})

/**
 * Paths of categories between separators: the last name of the first one is the category, those of others are tags. A
 * root that all paths have is none of them.
 */
export const categories = (
  separator: string | RegExp,
  inPath: string | RegExp,
  root?: string,
): ColumnRule => ({
  read: (cell) => {
    const paths = wordsOf(cell, separator).map((path) => wordsOf(path, inPath))
    const below = paths.map((path) => (path[0] === root ? path.slice(1) : path))
    const [first = [], ...others] = below.filter((path) => path.length > 0)
    return {
      category: first.at(-1) ?? null,
      [categoryPathField]: first,
      tags: others.flatMap((path) => path.at(-1) ?? []),
    }
  },
})

const groups = /^-?\d{1,3}(?:,\d{3})+(?=\.|$)/

/** Returns the text of a number without what stands between thousands, and without zeros at its end. */
const plainNumber = (cell: string): string => {
  const number = groups.test(cell) ? cell.replaceAll(',', '') : cell
  return /^-?\d+\.\d+$/.test(number) ? number.replace(/\.?0+$/, '') : number
}

/** Returns a number as it is without decimals beyond `digits`, rounded half up; another text as it is. */
function roundedTo(number: string, digits: number): string {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d{1,15})\.(\d+)$/.exec(number) ?? []
  if (decimals.length <= digits) return number
  const kept = BigInt(whole + decimals.slice(0, digits))
  const minor = String(kept + (Number(decimals[digits]) >= 5 ? 1n : 0n)).padStart(digits + 1, '0')
  const point = digits === 0 ? '' : `.${minor.slice(-digits)}`
  return `${sign}${minor.slice(0, minor.length - digits)}${point}`
}

/** An amount in the currency of the shop; it is rounded to what that has. */
export const price = (field: string): ColumnRule => ({
  isNumber: true,
  read: (cell, { shop, warn }) => {
    const number = plainNumber(cell)
    const rounded = roundedTo(number, shop.currencyDigits)
    if (rounded !== number) warn(field, cell, createMessage('import.rounded', { value: rounded }))
    return { [field]: orNull(cell) && (parseDecimal(rounded) ?? cell) }
  },
})

const gramsOfUnit = { g: 1, kg: 1000, lb: 453.592_37, lbs: 453.592_37, oz: 28.349_523_125 } as const
/** A unit of weights. */
export type WeightUnit = keyof typeof gramsOfUnit

/** True for the name of a unit of weights. */
export const isWeightUnit = (name: string): name is WeightUnit => Object.hasOwn(gramsOfUnit, name)

/** A weight in this unit, as whole grams. */
export const weight = (field: string, unit: WeightUnit): ColumnRule => ({
  isNumber: true,
  read: (cell) => ({ [field]: orNull(cell) && gramsOf(cell, unit) }),
})

/** Returns the grams of a weight in a unit; the text if it is no number. */
export function gramsOf(cell: string, unit: WeightUnit): number | string {
  const number = parseDecimal(plainNumber(cell))
  return number === undefined ? cell : Math.round(number * gramsOfUnit[unit])
}

/** Units in stock. Those that are missing there count as none. */
export const stock = (field: string): ColumnRule => ({
  isNumber: true,
  read: (cell, { warn }) => {
    const number = parseInteger(plainNumber(cell))
    if (number === undefined || number >= 0) return { [field]: orNull(cell) && (number ?? cell) }
    warn(field, cell, createMessage('import.below_zero'))
    return { [field]: 0 }
  },
})

const words: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, 1: true },
  ...{ false: false, no: false, n: false, 0: false },
}

/** True for a cell that says so, such as `1`, `yes` and `TRUE`; undefined for one that says nothing. */
export const flagOf = (cell: string): boolean | undefined =>
  Object.hasOwn(words, cell.toLowerCase()) ? words[cell.toLowerCase()] : undefined

/** Whether something is true. */
export const flag = (field: string): ColumnRule => ({
  read: (cell) => ({ [field]: orNull(cell) && (flagOf(cell) ?? cell) }),
})

/** Whether a product is shown: what is not published is a draft. */
export const published: ColumnRule = {
  read: (cell) => (cell === '' ? {} : { status: flagOf(cell) ? 'active' : 'draft' }),
}

/** Whether a product can be bought when it is out of stock; other words than those of yes say that it cannot. */
export const backorder = (...wordsOfYes: readonly string[]): ColumnRule => ({
  read: (cell) => ({ backorder: flagOf(cell) ?? wordsOfYes.includes(cell.toLowerCase()) }),
})

/** A Global Trade Item Number, of which spreadsheets keep the zeros by a `'`. */
export const gtin: ColumnRule = {
  read: (cell) => ({ gtin: orNull(cell.replace(/^'/, '').replace(/[\s-]+/g, '')) }),
}

/** The separator of a cell that is one word. */
export const noSeparator = /(?!)/
