import type { PersonalData } from '#resources/personal-data.ts'
import { anonymizeUses } from './store.ts'

/** The uses of discounts by a user, which the export shows with the orders. */
export const discountPersonalData: PersonalData = {
  name: 'discount_uses',
  description: 'The orders of the user that use a discount.',
  tables: ['discount_uses'],
  erase: (db, { id }) => anonymizeUses(db, id),
}
