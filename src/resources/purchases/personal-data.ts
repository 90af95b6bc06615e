import { type Holding, toldOf } from '#resources/personal-data.ts'
import { presentPurchase } from './rules.ts'
import { Purchase } from './schema.ts'
import { blankPurchases, newestPurchases } from './store.ts'

/** What a user has bought; that it was bought stays with the shop. */
export const purchaseHolding: Holding = {
  name: 'purchases',
  description: 'What was bought.',
  tables: ['purchases'],
  erase: (db, { id }) => blankPurchases(db, id),
  tell: {
    schema: Purchase,
    read: async (db, userId, limit) => {
      const rows = await newestPurchases(db, userId, limit + 1)
      return toldOf(rows.map(presentPurchase), limit)
    },
  },
}
