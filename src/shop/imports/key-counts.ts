import { keyTextOf } from './row-failure.ts'
import type { RepeatedKey } from './table.ts'
import type { ImportTarget, KeyedRow } from './targets/target.ts'

/** The keys of which repetitions are found, which bounds memory. */
const maxKeys = 1_000_000
/** The repeated keys that are told, and the rows of each. */
const maxRepeated = 100
const maxRows = 10

/** Counts the rows of a file that have the same key. */
export class KeyCounts {
  readonly #target: ImportTarget
  /** The number of the first record of each key. */
  readonly #records = new Map<string, number>()
  readonly #repeated = new Map<string, RepeatedKey>()
  /** The number of rows whose key a later row has, too. */
  overwritten = 0

  constructor(target: ImportTarget) {
    this.#target = target
  }

  add({ key, fields }: KeyedRow, record: number): void {
    const first = this.#records.get(key)
    if (first === undefined) {
      if (this.#records.size < maxKeys) this.#records.set(key, record)
      return
    }
    // Of joined rows the first ones win.
    if (!this.#target.list) this.overwritten += 1
    const before = this.#repeated.get(key)
    if (!before && this.#repeated.size >= maxRepeated) return
    const { count, rows } = before ?? { count: 1, rows: [first] }
    this.#repeated.set(key, {
      key: before?.key ?? keyTextOf(this.#target, fields) ?? '',
      count: count + 1,
      rows: rows.length < maxRows ? [...rows, record] : rows,
    })
  }

  /** The first keys that several rows have. */
  get repeated(): readonly RepeatedKey[] {
    return Array.from(this.#repeated.values())
  }
}
