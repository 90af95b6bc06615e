import type { TProperties } from 'typebox'
import type { ChangeLog } from './change-log.ts'
import { type Column, columnOf, type Row } from './columns.ts'
import type { CounterDefinition } from './counter.ts'

/**
 * What becomes of the rows when their user is erased, and when an account takes over those of a guest;
 * `own` stands for a rule of the table itself, declared as personal data beside it.
 */
export interface Owner<C extends string> {
  /** The column with the ID of the user. */
  readonly column: C
  readonly whenErased: 'delete' | 'unlink' | 'own'
  /** By default, the rows of a guest are erased with the guest. */
  readonly whenMerged?: 'move' | 'own'
}

/**
 * How long rows are kept: `forever`; `until` the time in a column, after which the retention job deletes
 * them; for a number of days, which the job knows, `since` the time in a column; or by a rule of the table
 * itself.
 */
export type Retention<C extends string> =
  | 'forever'
  | 'own'
  | { readonly until: C }
  | { readonly since: C }

/** A column that is encrypted with the secret key, and encrypted anew when it changes. */
export interface EncryptedColumn<C extends TProperties> {
  readonly column: keyof C & string
  /** Returns the name to which the value of a row is bound. */
  readonly boundTo: (row: Row<C>) => string
  /** The purpose of its key. */
  readonly purpose: string
}

/**
 * An index of columns that change often, followed by the `id`. When one of its entries changes, PostgreSQL gives the
 * new version of the row an entry in every index of the table. So there it is a table, which triggers keep, and the
 * pages of its own table leave room in which new versions find place without any entry.
 */
export interface IndexApart<C extends string> {
  /** The name of its table on PostgreSQL. */
  readonly table: string
  readonly columns: readonly C[]
}

/** What a table declares. */
export interface TableOptions<C extends TProperties> {
  readonly columns: C
  /** The columns of the primary key; by default the generated `id`, or the first column. */
  readonly key?: readonly (keyof C & string)[]
  /** The tables whose `id` a column refers to. */
  readonly references?: { readonly [K in keyof C & string]?: string }
  /** Unique indexes, such as `code_key where deleted_at is null`. */
  readonly unique?: readonly string[]
  /** Further indexes, such as `user_id, id`; `nulls first` as on SQLite is added on PostgreSQL. */
  readonly indexes?: readonly string[]
  /** An index that changes far more often than all others, over the rows that are not removed. */
  readonly indexApart?: IndexApart<keyof C & string>
  /** Conditions of every row, by name. */
  readonly checks?: Readonly<Record<string, string>>
  /** The counts that triggers keep of the rows. */
  readonly counters?: readonly CounterDefinition[]
  /** The columns of whose changes triggers keep a log. */
  readonly changeLog?: ChangeLog
  /** Statements that create functions of PostgreSQL which queries on the table call. */
  readonly functions?: readonly string[]
  /** Whose the rows are; null if they are about no person. */
  readonly owner: Owner<keyof C & string> | null
  readonly encrypted: readonly EncryptedColumn<C>[]
  readonly kept: Retention<keyof C & string>
}

/** An index: its columns, in order, and the condition of a partial one. */
export interface Index {
  readonly columns: readonly { readonly name: string; readonly nullsFirst: boolean }[]
  readonly where: string | undefined
  readonly isUnique: boolean
}

/** A table as it is created in a database. */
export interface TableDeclaration {
  readonly table: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly references: Readonly<Record<string, string>>
  readonly indexes: readonly Index[]
  readonly indexApart: IndexApart<string> | undefined
  readonly checks: Readonly<Record<string, string>>
  readonly counters: readonly CounterDefinition[]
  readonly changeLog: ChangeLog | undefined
  readonly functions: readonly string[]
  readonly owner: Owner<string> | null
  readonly encrypted: readonly EncryptedColumn<TProperties>[]
  readonly kept: Retention<string>
}

/** Reads an index such as `status, id where deleted_at is null`. */
function parseIndex(declared: string, isUnique: boolean): Index {
  const [list = '', where] = declared.split(' where ')
  const columns = list.split(', ').map((column) => {
    const name = column.replace(' nulls first', '')
    return { name, nullsFirst: name !== column }
  })
  return { columns, where, isUnique }
}

/** Returns the table that options declare. */
export function declareTable<C extends TProperties>(
  table: string,
  options: TableOptions<C>,
): TableDeclaration {
  const { unique = [], indexes = [], checks = {}, counters = [], functions = [] } = options
  const columns = Object.entries(options.columns).map(([name, schema]) => columnOf(name, schema))
  const [first] = columns
  return {
    table,
    columns,
    key: options.key ?? [columns.find(({ isIdentity }) => isIdentity)?.name ?? first?.name ?? 'id'],
    references: (options.references ?? {}) as Readonly<Record<string, string>>,
    indexes: [
      ...unique.map((index) => parseIndex(index, true)),
      ...indexes.map((index) => parseIndex(index, false)),
    ],
    ...{
      indexApart: options.indexApart,
      checks,
      counters,
      changeLog: options.changeLog,
      functions,
      owner: options.owner,
      encrypted: options.encrypted as readonly EncryptedColumn<TProperties>[],
      kept: options.kept,
    },
  }
}
