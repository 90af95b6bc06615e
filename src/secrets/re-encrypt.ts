import type { Db } from '#store/database.ts'
import type { EncryptedColumn } from '#store/declaration.ts'
import type { AnyTable } from '#store/table.ts'
import type { createCipher } from './encryption.ts'

/** The outcome of a re-encryption. */
export interface ReencryptionResult {
  readonly reencrypted: number
  /** The values that no secret decrypts; they are left as they are. */
  readonly unreadable: number
}

type Cipher = ReturnType<typeof createCipher>
type Row = Readonly<Record<string, unknown>>

const batchSize = 500

/**
 * Re-encrypts under the first secret everything in these tables that another secret encrypted; `cipherOf`
 * returns the cipher of a purpose. Afterwards no stored value needs the other secrets. Rows are replaced
 * one by one: it may run beside servers, and again after an interruption.
 */
export async function reencryptTables(
  db: Db,
  tables: readonly AnyTable[],
  cipherOf: (purpose: string) => Cipher,
): Promise<ReencryptionResult> {
  let [reencrypted, unreadable] = [0, 0]
  for (const table of tables) {
    for (const column of table.declaration.encrypted) {
      const cipher = cipherOf(column.purpose)
      let after: Row | undefined
      do {
        const batch = await reencryptBatch(db, { table, column }, cipher, after)
        reencrypted += batch.reencrypted
        unreadable += batch.unreadable
        after = batch.last
      } while (after !== undefined)
    }
  }
  return { reencrypted, unreadable }
}

/** A column of encrypted values, in its table. */
interface Target {
  readonly table: AnyTable
  readonly column: EncryptedColumn<never>
}

/** Re-encrypts the next batch of rows after `after`; `last` is undefined when there are no more. */
export async function reencryptBatch(
  db: Db,
  { table, column: { column, boundTo } }: Target,
  { encrypt, decrypt, isCurrent }: Cipher,
  after: Row | undefined,
): Promise<ReencryptionResult & { readonly last: Row | undefined }> {
  let [reencrypted, unreadable] = [0, 0]
  const { key } = table.declaration
  const keyOf = (row: Row): Row => Object.fromEntries(key.map((name) => [name, row[name]]))
  const rows: readonly Row[] = await table.findAfter(db, column, after, batchSize)
  for (const row of rows) {
    const [name, ciphertext] = [boundTo(row as never), String(row[column])]
    if (ciphertext === '' || isCurrent(ciphertext, name)) continue
    const text = decrypt(ciphertext, name)
    if (text === undefined) unreadable += 1
    else {
      const unchanged = { ...keyOf(row), [column]: ciphertext }
      reencrypted += await table.update(db, unchanged, { [column]: encrypt(text, name) })
    }
  }
  const last = rows.at(-1)
  return { reencrypted, unreadable, last: last && keyOf(last) }
}
