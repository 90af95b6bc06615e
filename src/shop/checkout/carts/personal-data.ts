import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import { DiscountCode } from '#shop/checkout/discounts/schema.ts'
import type { PersonalData } from '#shop/personal-data.ts'
import { mergeCarts } from './actions.ts'
import { presentLine, subtotalMinor, totalQuantity } from './rules.ts'
import { Cart, CartItem } from './schema.ts'
import { findCart, removeCart } from './store.ts'

const discount_code = nullable(DiscountCode)
const { user_id, item_count, subtotal, created_at, updated_at } = Cart.properties
const { discount: _, ...itemFields } = CartItem.properties
const items = Type.Array(Type.Object(itemFields), { description: 'The items in the cart.' })

/** The cart of a user. */
export const cartPersonalData: PersonalData = {
  name: 'carts',
  description: 'The cart of the user, as a list of one.',
  tables: ['cart_items', 'carts'],
  merge: (db, { now, ...users }) => mergeCarts(db, users, now),
  erase: (db, { id }) => removeCart(db, id),
  dataExport: {
    schema: Type.Object({
      user_id,
      item_count,
      subtotal,
      discount_code,
      items,
      created_at,
      updated_at,
    }),
    read: async (db, userId) => {
      const cart = await findCart(db, userId)
      if (!cart) return { entries: [], isComplete: true }
      const { lines } = cart
      const totals = { item_count: totalQuantity(lines), subtotal: subtotalMinor(lines) }
      return {
        entries: [
          {
            ...cart,
            ...totals,
            items: lines.map((line) => presentLine({ ...line, discount: 0 })),
          },
        ],
        isComplete: true,
      }
    },
  },
}
