import { Type } from 'typebox'
import { DateTime } from '#schema/words.ts'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { networksForExport } from './store.ts'
import { knownNetworks } from './table.ts'

/** The personal data in `known_networks`. */
export const networkPersonalData: PersonalData = {
  name: 'known_networks',
  description:
    'The networks from which the user signed in with a password in the last 90 days, and the one that gave an address that is not confirmed.',
  tables: ['known_networks'],
  erase: (db, { id }) => knownNetworks.delete(db, { user_id: id }),
  dataExport: {
    schema: Type.Object({
      network: Type.String({
        description: 'An IPv4 address, or the first 64 bits of an IPv6 address.',
        examples: ['203.0.113.7'],
      }),
      seen_at: DateTime({
        description:
          'When the user last signed in from the network, to the day; of the other one, when the account last changed.',
      }),
    }),
    read: async (db, userId, limit) =>
      toExportedData(await networksForExport(db, userId, limit + 1), limit),
  },
}
