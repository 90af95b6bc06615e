import { derivedRows, derivedText } from '#store/derived-text.ts'
import { accountKey } from '#values/account-key.ts'
import { discountUses } from './discounts/uses.ts'

/** The contact addresses whose uses of discounts are counted together. */
export const contactKeys = derivedText({
  read: (db, after) =>
    db
      .selectFrom('discount_uses')
      .innerJoin('orders', 'orders.id', 'discount_uses.order_id')
      .select(['orders.id', 'orders.contact_email', 'discount_uses.contact_key'])
      .where('discount_uses.order_id', '>', after)
      .where('discount_uses.contact_key', 'is not', null)
      .orderBy('discount_uses.order_id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, { id, contact_email: email, contact_key: stored }) => {
    const contact_key = email && accountKey(email)
    if (contact_key === stored) return
    await discountUses.update(db, { order_id: id }, { contact_key })
  },
})
