import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { mergeAddresses } from './actions.ts'
import { SavedAddress } from './schema.ts'
import { addresses } from './table.ts'

/** The saved addresses of a user. */
export const addressPersonalData: PersonalData = {
  name: 'addresses',
  description: 'The saved addresses of the user.',
  tables: ['addresses'],
  merge: (db, { now, ...users }) => mergeAddresses(db, users, now),
  erase: (db, { id }) => addresses.delete(db, { user_id: id }),
  dataExport: {
    schema: SavedAddress,
    read: async (db, userId, limit) => {
      const rows = await addresses.findAll(db, { user_id: userId }, { order: '-id' })
      return toExportedData(rows, limit)
    },
  },
}
