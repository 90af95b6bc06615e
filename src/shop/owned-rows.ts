import type { TProperties } from 'typebox'
import type { Changes, Table, Where } from '#store/table.ts'
import type { PersonalData } from './personal-data.ts'

/**
 * What becomes of the rows of a table when their user is erased or merged, as its declaration says.
 * Throws a TypeError for a table with a rule of its own.
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
    ...(whenMerged && { merge: (db, { from, to }) => table.update(db, rowsOf(from), ownedBy(to)) }),
  }
}
