import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { idInQuery } from '#store/query/dialect.ts'
import type { AnyTable } from '#store/table.ts'
import {
  type IdRange,
  idRangesOf,
  rangesOfQuery,
  type WordRange,
  wordsToBeginWith,
} from './beginnings.ts'

interface FoundByWordsOptions<Row> {
  /** The rows that are found. */
  readonly found: AnyTable
  /** Their words: its key is the `word` and the ID of the row. */
  readonly words: AnyTable
  /** The texts by whose words a row is found. */
  readonly textsOf: (row: Row) => readonly (string | null)[]
  /** Whether a number also finds the rows whose IDs begin with it, which needs no words. */
  readonly hasNumbers?: boolean
}

type WordRow = Parameters<AnyTable['insert']>[1]

const lengthOf = ([range]: readonly WordRange[]): number => range?.from.length ?? 0

/** Rows that are found by the beginnings of their words. */
export class FoundByWords<Row extends { readonly id: number }> {
  readonly #words: AnyTable
  readonly #wordsName: string
  /** The column of `#words` with the ID of a row. */
  readonly #owner: string
  readonly #found: string
  readonly #textsOf: FoundByWordsOptions<Row>['textsOf']
  readonly #hasNumbers: boolean

  constructor({ found, words, textsOf, hasNumbers = false }: FoundByWordsOptions<Row>) {
    this.#words = words
    this.#wordsName = words.declaration.table
    this.#owner = words.declaration.key[1] ?? ''
    this.#found = found.declaration.table
    this.#textsOf = textsOf
    this.#hasNumbers = hasNumbers
  }

  /** The rows of the words of a row. */
  rowsOf(row: Row): readonly WordRow[] {
    return this.#rows(row.id, this.#wordsOf(row))
  }

  /** Makes a search find a new row. */
  insert(db: Db, row: Row): Promise<void> {
    return this.insertAll(db, [row])
  }

  /** Makes a search find new rows, in one statement. */
  insertAll(db: Db, rows: readonly Row[]): Promise<void> {
    return this.#words.insertAll(
      db,
      rows.flatMap((row) => this.rowsOf(row)),
    )
  }

  /** Makes a search find rows by the texts that they have now, in at most three statements. */
  async replace(db: Db, rows: readonly Row[]): Promise<void> {
    const stored = await this.#words.findAll(db, {
      [this.#owner]: rows.map(({ id }) => id),
    })
    const storedById = Map.groupBy(stored, (word) => Number(word[this.#owner]))
    const outdated: number[] = []
    const added: WordRow[] = []
    for (const row of rows) {
      const { id } = row
      const before = new Set(storedById.get(id)?.map(({ word }) => String(word)))
      const words = new Set(this.#wordsOf(row))
      const hasGone = !before.isSubsetOf(words)
      if (hasGone) outdated.push(id)
      added.push(...this.#rows(id, hasGone ? words : words.difference(before)))
    }
    if (outdated.length > 0) await this.#words.delete(db, { [this.#owner]: outdated })
    await this.#words.insertAll(db, added)
  }

  /**
   * The conditions that a row has words that begin with each word of a search; without any, none has. Few rows are found
   * by its longest word. Whether a row has the others, or of `isMany` in the order of the list all, is looked up for
   * each, which PostgreSQL does not undo for the offset.
   */
  conditions(db: Db, query: string, isMany: boolean): readonly Expression<SqlBool>[] {
    const words = rangesOfQuery(query).toSorted((one, other) => lengthOf(other) - lengthOf(one))
    if (words.length === 0) return [sql<SqlBool>`1 = 0`]
    return words.map((ranges, at) =>
      at === 0 && !isMany ? this.#isAmongFound(db, ranges) : this.#hasWord(ranges),
    )
  }

  #isAmongFound(db: Db, ranges: readonly WordRange[]): Expression<SqlBool> {
    const byWord = sql`select ${sql.ref(this.#owner)} from ${sql.table(this.#wordsName)} where ${isWithin(ranges)}`
    const numbers = this.#numbersOf(ranges)
    const byNumber = sql`select id from ${sql.table(this.#found)} where ${isNumbered('id', numbers)}`
    const ids = numbers.length === 0 ? byWord : sql`${byWord} union all ${byNumber}`
    return idInQuery(db, this.#id, sql`(${ids})`)
  }

  #hasWord(ranges: readonly WordRange[]): Expression<SqlBool> {
    const owner = sql.ref(`${this.#wordsName}.${this.#owner}`)
    const byWord = sql<SqlBool>`exists (select 1 from ${sql.table(this.#wordsName)}
      where ${owner} = ${sql.ref(this.#id)} and ${isWithin(ranges)} limit 1 offset 0)`
    const numbers = this.#numbersOf(ranges)
    return numbers.length === 0 ? byWord : sql`(${isNumbered(this.#id, numbers)} or ${byWord})`
  }

  #wordsOf(row: Row): readonly string[] {
    return wordsToBeginWith(this.#textsOf(row))
  }

  #numbersOf(ranges: readonly WordRange[]): readonly IdRange[] {
    return this.#hasNumbers ? ranges.flatMap(({ from }) => idRangesOf(from)) : []
  }

  get #id(): string {
    return `${this.#found}.id`
  }

  #rows(id: number, words: Iterable<string>): readonly WordRow[] {
    return Array.from(words, (word) => ({ word, [this.#owner]: id }))
  }
}

const isWithin = (ranges: readonly WordRange[]) =>
  anyOf(ranges.map(({ from, before }) => sql`(word >= ${from} and word < ${before})`))

const isNumbered = (column: string, ranges: readonly IdRange[]) =>
  anyOf(ranges.map(({ first, last }) => sql`${sql.ref(column)} between ${first} and ${last}`))

const anyOf = (conditions: readonly Expression<unknown>[]) =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
