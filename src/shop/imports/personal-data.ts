import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentOperation } from './rules.ts'
import { Operation } from './schema.ts'
import * as store from './store.ts'

/** The operations that a user began. Errors of rows hold no values of their cells. */
export const operationPersonalData: PersonalData = {
  name: 'operations',
  description: 'The imports that the user began.',
  tables: ['operations', 'operation_parts', 'operation_errors'],
  // The jobs delete the files of what has ended.
  erase: (db, { id, now }) => store.anonymizeOperations(db, id, now),
  dataExport: {
    schema: Operation,
    read: async (db, userId, limit) => {
      const rows = await store.operationsOf(db, userId, limit + 1)
      return toExportedData(
        rows.map((row) => presentOperation(row)),
        limit,
      )
    },
  },
}
