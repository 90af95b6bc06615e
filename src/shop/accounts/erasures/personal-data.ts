import { Type } from 'typebox'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { Erasure } from './schema.ts'
import { markErased } from './store.ts'
import { erasures } from './table.ts'

const { erase_at, reason, created_at } = Erasure.properties

/** The personal data in erasures; a record that the user was erased stays. */
export const erasurePersonalData: PersonalData = {
  name: 'erasures',
  description: 'The request of the user to be erased.',
  tables: ['erasures'],
  erase: (db, { id, now }) => markErased(db, id, now),
  dataExport: {
    schema: Type.Object({ erase_at, reason, created_at }),
    read: async (db, userId, limit) =>
      toExportedData(await erasures.findAll(db, { user_id: userId }), limit),
  },
}
