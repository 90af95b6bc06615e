import { type Expression, type SqlBool, sql } from 'kysely'
import { productLog } from '#shop/catalogue/products/table.ts'
import { readBounds, readChanges } from '#store/change-log.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn } from '#store/query/dialect.ts'
import { type ListedProducts, listedColumns, ProductColumns } from './columns.ts'

/** How many products are read at once, between which other requests are served. */
const idsPerStatement = 2048

/** Reads the products that a condition selects, each column as one text: rows would take twice as long. */
async function readListed(db: Db, condition: Expression<SqlBool>): Promise<ListedProducts> {
  const list =
    dialectOf(db) === 'sqlite'
      ? (column: string) => sql<string>`json_group_array(${sql.ref(column)})`
      : (column: string) => sql<string>`coalesce(json_agg(${sql.ref(column)})::text, '[]')`
  const row = await db
    .selectFrom('products')
    .where('deleted_at', 'is', null)
    .where(() => condition)
    .select(listedColumns.map((name) => list(name).as(name)))
    .executeTakeFirstOrThrow()
  const lists = listedColumns.map((name) => [name, JSON.parse(row[name])] as const)
  return Object.fromEntries(lists) as ListedProducts
}

/**
 * The columns of a database, read once and then brought up to date by the log of changes, whoever has made them. Each
 * process has its own.
 */
export class CurrentColumns {
  #columns: ProductColumns | undefined
  #readUntil = 0
  #running: Promise<ProductColumns> | undefined
  #next: Promise<ProductColumns> | undefined

  /** Returns the columns with everything that was committed before this call. */
  read(db: Db): Promise<ProductColumns> {
    if (!this.#running) return this.#start(db)
    // What is being read may miss what was committed just now; the next reading serves all who wait.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.#start(db)
      })
    return this.#next
  }

  #start(db: Db): Promise<ProductColumns> {
    this.#running = this.#refresh(db).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #refresh(db: Db): Promise<ProductColumns> {
    const { next, before } = await readBounds(db, productLog)
    const columns = this.#columns ?? (await readAll(db))
    if (this.#columns) {
      const bounds = { from: this.#readUntil, before, atOnce: idsPerStatement }
      for await (const ids of readChanges(db, productLog, bounds)) {
        columns.update(ids, await readListed(db, idIn(db, 'products.id', ids)))
      }
    }
    this.#columns = columns
    this.#readUntil = next
    return columns
  }
}

async function readAll(db: Db): Promise<ProductColumns> {
  const columns = new ProductColumns()
  const newest = db.selectFrom('products').select((eb) => eb.fn.max('id').as('id'))
  const last = (await newest.executeTakeFirst())?.id ?? 0
  for (let from = 0; from <= last; from += idsPerStatement) {
    const until = from + idsPerStatement
    columns.update([], await readListed(db, sql<SqlBool>`id >= ${from} and id < ${until}`))
  }
  return columns
}
