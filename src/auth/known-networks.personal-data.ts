import { Type } from 'typebox'
import { Moment } from '#http/declare/schema.ts'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { dropNetworksOf, networksForExport } from './store.ts'

/** The networks from which a user has signed in by password. */
export const networkPersonalData: PersonalData = {
  name: 'known_networks',
  description: 'The networks from which the user has signed in by password, in the last 90 days.',
  tables: ['known_networks'],
  erase: (db, { id }) => dropNetworksOf(db, id),
  exportData: {
    schema: Type.Object({
      network: Type.String({
        description: 'An address of IPv4, or the first half of one of IPv6.',
        examples: ['203.0.113.7'],
      }),
      seen_at: Moment({ description: 'When the user was seen there last, to the day.' }),
    }),
    read: async (db, userId, limit) =>
      exportedDataOf(await networksForExport(db, userId, limit + 1), limit),
  },
}
