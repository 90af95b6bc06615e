import type { TProperties } from 'typebox'
import { Entity } from '#store/entity.ts'
import type { Changes, Table, Where } from '#store/table.ts'
import { type DataExport, type PersonalData, toExportedData } from './personal-data.ts'

/**
 * What becomes of the rows of a table when their user is erased or merged, as its declaration says, and the
 * export of those that the API shows. Throws a TypeError for a table with a rule of its own.
 */
export function ownedRows<C extends TProperties>(table: Table<C>): PersonalData {
  const { table: name, owner } = table.declaration
  if (!owner || owner.whenErased === 'own' || owner.whenMerged === 'own') {
    throw new TypeError(`${name} declares no general rule for the rows of a user`)
  }
  const { column, whenErased, whenMerged } = owner
  const rowsOf = (id: number) => ({ [column]: id }) as unknown as Where<C>
  const ownedBy = (id: number | null) => ({ [column]: id }) as unknown as Changes<C>
  return {
    name,
    description: `The rows of ${name} that belong to the user.`,
    tables: [name as never],
    erase: (db, { id }) =>
      whenErased === 'delete'
        ? table.delete(db, rowsOf(id))
        : table.update(db, rowsOf(id), ownedBy(null)),
    ...(whenMerged && {
      merge: (db, { from, to, now }) =>
        'revision' in table.schemas
          ? table.revise(db, rowsOf(from), ownedBy(to), now)
          : table.update(db, rowsOf(from), ownedBy(to)),
    }),
    ...(table instanceof Entity && { dataExport: exportOf(table, rowsOf) }),
  }
}

const exportOf = <C extends TProperties>(
  table: Entity<TProperties, C>,
  rowsOf: (userId: number) => Where<C>,
): DataExport => ({
  schema: table.schema,
  read: async (db, userId, limit) =>
    toExportedData(await table.findNewest(db, rowsOf(userId), limit + 1), limit),
})
