import type { Shop } from '#shop/shop.ts'
import { compileColumns } from './file/columns.ts'
import { DecimalSign } from './file/decimal-sign.ts'
import { addedNamesOf, columnsOf, type FileFacts, namesOf } from './file-row.ts'
import { columnsInFormat } from './formats/convert.ts'
import type { ColumnRule, FileFormat } from './formats/format.ts'
import { foreignFormat } from './formats/formats.ts'
import { storableName } from './rules.ts'
import type { ColumnFields, IgnoredColumn } from './table.ts'
import type { ImportTarget } from './targets/target.ts'

/** The columns that are told to mean nothing. */
const maxIgnored = 100
/** The columns of which is told what they are. */
const maxTold = 500

/** What the columns of a file are, by their places. */
interface Places {
  readonly unknown: readonly number[]
  readonly numbers: readonly number[]
  /** Undefined for one that has no field of its own, such as one that tells how records belong together. */
  readonly fields: readonly (string | null | undefined)[]
}

/** Returns the field that a rule gives, whatever the cell has; of several the first. */
const fieldOf = ({ read }: ColumnRule, shop: Shop): string | undefined =>
  Object.keys(read('1', { shop, warn: () => undefined }))[0]

/** Returns what the columns of a file of another system are: by its format, and because the request says so. */
function placesInFormat(
  format: FileFormat,
  file: FileFacts,
  target: ImportTarget,
  shop: Shop,
): Places {
  const names = namesOf(file)
  const { unknown, numbers, rules } = columnsInFormat(format, names)
  const added = compileColumns(addedNamesOf(file), target)
  const isUnknown = new Set(unknown)
  return {
    unknown: unknown.filter((at) => added.unknown.includes(at)),
    numbers: [...numbers, ...added.numbers],
    fields: names.map((_, at) => {
      const rule = rules.get(at)
      return added.fields[at] ?? (rule ? fieldOf(rule, shop) : isUnknown.has(at) ? null : undefined)
    }),
  }
}

/** Counts what the columns of a file have, before the values mean anything. */
export class ColumnCounts {
  readonly #names: readonly string[]
  readonly #places: Places
  readonly #decimals: ReadonlyMap<number, DecimalSign>
  readonly #ignored = new Map<string, number>()

  constructor(file: FileFacts, target: ImportTarget, shop: Shop) {
    this.#names = columnsOf(file)
    const format = foreignFormat(file)
    this.#places = format
      ? placesInFormat(format, file, target, shop)
      : compileColumns(namesOf(file), target)
    const { unknown, numbers } = this.#places
    this.#decimals = new Map(numbers.map((at) => [at, new DecimalSign()]))
    // A column without a name and values says nothing.
    for (const at of unknown) if (this.#names[at]?.trim()) this.addIgnored(this.#names[at], 0)
  }

  addCells(cells: readonly string[]): void {
    for (const at of this.#places.unknown) if (cells[at]) this.addIgnored(this.#names[at] ?? '')
    for (const [at, sign] of this.#decimals) sign.add(cells[at] ?? '')
  }

  addIgnored(column: string, values = 1): void {
    const name = storableName(column)
    const before = this.#ignored.get(name)
    if (before === undefined && this.#ignored.size >= maxIgnored) return
    this.#ignored.set(name, (before ?? 0) + values)
  }

  get decimalCommas(): ReadonlySet<number> {
    return new Set(Array.from(this.#decimals).flatMap(([at, sign]) => (sign.isComma ? [at] : [])))
  }

  get ignored(): readonly IgnoredColumn[] {
    return Array.from(this.#ignored, ([name, values]) => ({ name, values }))
  }

  /** The fields of columns with a name; of columns with the same name the first that has one. */
  get columnFields(): ColumnFields {
    const { fields } = this.#places
    const told = new Map<string, string | null>()
    for (const [at, column] of this.#names.slice(0, maxTold).entries()) {
      const field = fields[at]
      const name = storableName(column)
      if (field !== undefined && name.trim() !== '') told.set(name, told.get(name) ?? field)
    }
    return Object.fromEntries(told)
  }
}
