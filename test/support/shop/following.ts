import { followingTables } from '#src/server/tables.ts'
import type { Db } from '#store/database.ts'
import { outdatedColumns } from '#store/derived-text.ts'

/** Returns a sentence for each row with a column that does not follow from its text. */
export async function findOutdatedTexts(db: Db): Promise<readonly string[]> {
  const found = await Promise.all(
    followingTables.map(async (table) => {
      const { table: name } = table.declaration
      const rows = await db
        .selectFrom(name as 'users')
        .selectAll()
        .execute()
      return rows.flatMap((row) => {
        const outdated = outdatedColumns(table, row)
        return outdated ? [`${name} ${row.id} should have ${JSON.stringify(outdated)}`] : []
      })
    }),
  )
  return found.flat()
}
