import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { deliveriesForExport, eraseResponses } from './delivery/delivery-store.ts'
import { presentDelivery } from './rules.ts'
import { Delivery } from './schema.ts'

/** The personal data in deliveries: what endpoints answered to events about the user. */
export const deliveryPersonalData: PersonalData = {
  name: 'deliveries',
  description: 'Where events about the user were sent, with the responses.',
  tables: ['webhook_deliveries'],
  erase: (db, { id: userId, now }) => eraseResponses(db, userId, now),
  dataExport: {
    schema: Delivery,
    read: async (db, userId, limit) => {
      const rows = await deliveriesForExport(db, userId, limit + 1)
      return toExportedData(rows.map(presentDelivery), limit)
    },
  },
}
