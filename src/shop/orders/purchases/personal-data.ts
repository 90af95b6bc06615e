import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentPurchase } from './rules.ts'
import { Purchase } from './schema.ts'
import { anonymizePurchases, movePurchases } from './store.ts'
import { purchases } from './table.ts'

/** The purchases of a user; an erasure keeps them without the user. */
export const purchasePersonalData: PersonalData = {
  name: 'purchases',
  description: 'The purchases of the user.',
  tables: ['purchases'],
  merge: (db, { from, to, now }) => movePurchases(db, { user_id: from }, to, now),
  erase: (db, { id }) => anonymizePurchases(db, id),
  dataExport: {
    schema: Purchase,
    read: async (db, userId, limit) => {
      const rows = await purchases.findNewest(db, { user_id: userId }, limit + 1)
      return toExportedData(rows.map(presentPurchase), limit)
    },
  },
}
