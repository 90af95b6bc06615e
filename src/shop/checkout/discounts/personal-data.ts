import type { PersonalData } from '#shop/personal-data.ts'
import { anonymizeUses, mergeUses } from './store.ts'

/** The uses of discounts by a user, which the export shows with the orders. */
export const discountPersonalData: PersonalData = {
  name: 'discount_uses',
  description: 'The orders of the user that use a discount.',
  tables: ['discount_uses'],
  merge: mergeUses,
  erase: (db, { id }) => anonymizeUses(db, id),
}
