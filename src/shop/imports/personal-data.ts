import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentOperation } from './rules.ts'
import { Operation } from './schema.ts'
import * as store from './store.ts'

/** The operations that a user began, and what errors of imported users and orders hold of any person. */
export const operationPersonalData: PersonalData = {
  name: 'operations',
  description: 'The imports that the user began.',
  tables: [
    'operations',
    'operation_parts',
    'operation_images',
    'operation_rows',
    'operation_errors',
  ],
  // The jobs delete the files of what has ended.
  erase: async (db, { id, now }) => {
    await store.anonymizeOperations(db, id, now)
    await store.forgetImportedPersons(db, now)
  },
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
