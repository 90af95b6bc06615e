import type { Message } from '#i18n/message.ts'
import type { Shop } from '#shop/shop.ts'

/** The formats of other shop systems. */
export const foreignFormats = [
  'shopify',
  'woocommerce',
  'magento',
  'prestashop',
  'etsy',
  'google',
] as const
export type ForeignFormat = (typeof foreignFormats)[number]
/** The formats of files: `cartwright` has the fields of the API. */
export const fileFormats = ['cartwright', ...foreignFormats] as const
export type FormatName = (typeof fileFormats)[number]

/** Fields of a row, as a file in the format of the shop has them. */
export type Fields = Readonly<Record<string, unknown>>

/** What cells are read with. */
export interface CellContext {
  readonly shop: Shop
  /** Tells that a field does not get what the cell has. */
  readonly warn: (field: string, value: string, message: Message) => void
}

/** What a column of another system is in the fields of the shop. */
export interface ColumnRule {
  /** True for numbers, which may have a decimal comma. */
  readonly isNumber?: boolean
  /** Returns the fields that a cell gives. */
  readonly read: (cell: string, ctx: CellContext) => Fields
}

/** Columns by the names that they have there. */
export type ColumnRules = Readonly<Record<string, ColumnRule>>

/** A record of a file of another system. */
export interface ForeignRecord {
  /** The line where it begins. */
  readonly line: number
  /** The number of the record; see `Position`. */
  readonly record: number
  /** Returns the cell of a column without outer blanks; empty without one. */
  readonly cell: (column: string) => string
  /** True if the file has a column. */
  readonly has: (column: string) => boolean
  /** Returns what the pattern finds first in the names of columns, with their cells. */
  readonly matching: (pattern: RegExp) => readonly (readonly [found: string, cell: string])[]
  /** The shop that imports it. */
  readonly shop: Shop
  readonly warn: CellContext['warn']
  /** Returns the fields that the rules of columns give. Tags of several columns are joined. */
  readonly fields: (rules: ColumnRules) => Fields
}

/** A row of the shop, and the place in its unit of the record that it is from. */
export interface ForeignRow {
  readonly at: number
  readonly fields: Fields
  /** True if the file has no SKU for it. */
  readonly isSkuMade?: boolean
}

/** Reads one file. */
export interface FormatReader {
  /** Called with every record of the file before the first unit is turned into rows, which may depend on all. */
  readonly note?: (record: ForeignRecord) => void
  /** Turns the records of a unit into rows. */
  readonly rows: (unit: readonly ForeignRecord[]) => readonly ForeignRow[]
}

/** A format of files of another system: whose columns are what here, and which records make a product. */
export interface FileFormat {
  readonly name: ForeignFormat
  /** What tells such files from others: the columns of one of these lists, all of which they have. */
  readonly marks: readonly (readonly string[])[]
  /** Other names of columns, and by which the rules know them. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** The rules of all columns that are fields of the shop. */
  readonly rules: readonly ColumnRules[]
  /** The columns that tell how records belong together, or change what others mean. */
  readonly structure: readonly (string | RegExp)[]
  /** The column of which consecutive records with the same value make a unit; undefined if each record is one. */
  readonly unit?: string
  /** The columns of prices without tax and, where a file has both, with it, in the form in which columns are compared. */
  readonly taxExcluded?: RegExp
  readonly taxIncluded?: RegExp
  readonly open: () => FormatReader
}

/** The entries of a kind that are noted of a file, which bounds memory. */
export const maxNoted = 50_000
