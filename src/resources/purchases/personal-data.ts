import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { presentPurchase } from './rules.ts'
import { Purchase } from './schema.ts'
import { blankPurchases, purchasesForExport } from './store.ts'

/** The purchases of a user; an erasure keeps them without the user. */
export const purchasePersonalData: PersonalData = {
  name: 'purchases',
  description: 'The purchases of the user.',
  tables: ['purchases'],
  erase: (db, { id }) => blankPurchases(db, id),
  exportData: {
    schema: Purchase,
    read: async (db, userId, limit) => {
      const rows = await purchasesForExport(db, userId, limit + 1)
      return exportedDataOf(rows.map(presentPurchase), limit)
    },
  },
}
