import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { presentPurchase } from './rules.ts'
import { Purchase } from './schema.ts'
import { blankPurchases, purchasesForExport } from './store.ts'

/** What a user has bought; that it was bought stays with the shop. */
export const purchasePersonalData: PersonalData = {
  name: 'purchases',
  description: 'What was bought.',
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
