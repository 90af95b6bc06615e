import { Type } from 'typebox'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { Erasure } from './schema.ts'
import { erasuresOf, markErased } from './store.ts'

const { erase_at, reason, created_at } = Erasure.properties

/** That a user has asked to be erased, and why; that it was done stays. */
export const erasurePersonalData: PersonalData = {
  name: 'erasures',
  description: 'That the user has asked to be erased.',
  tables: ['erasures'],
  erase: (db, { id, now }) => markErased(db, id, now),
  exportData: {
    schema: Type.Object({ erase_at, reason, created_at }),
    read: async (db, userId, limit) => exportedDataOf(await erasuresOf(db, userId), limit),
  },
}
