import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { mergeAddresses } from './actions.ts'
import { presentAddress } from './rules.ts'
import { SavedAddress } from './schema.ts'
import { deleteAddresses, findAddresses } from './store.ts'

/** The saved addresses of a user. */
export const addressPersonalData: PersonalData = {
  name: 'addresses',
  description: 'The saved addresses of the user.',
  tables: ['addresses'],
  merge: (db, { now, ...users }) => mergeAddresses(db, users, now),
  erase: (db, { id }) => deleteAddresses(db, id),
  dataExport: {
    schema: SavedAddress,
    read: async (db, userId, limit) => {
      const rows = await findAddresses(db, userId)
      return toExportedData(rows.map(presentAddress).reverse(), limit)
    },
  },
}
