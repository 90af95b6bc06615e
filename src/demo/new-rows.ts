import { searchTextOf } from '#db/search/words.ts'
import { describeUser } from '#resources/users/rules.ts'
import type { Instant } from '#values/instant.ts'
import type { DemoProduct, DemoUser } from './rows.ts'
import type { NewRow } from './store.ts'

/** What the shop deals in; `currencyDigits` are the decimals of the currency. */
export interface DemoShop {
  readonly currency: string
  readonly currencyDigits: number
}

/** The same number of major units in the shop's currency, such as 20 yen for 1999 cents. */
export const scaledPrice = (cents: number, { currencyDigits }: DemoShop): number =>
  Math.round(cents * 10 ** (currencyDigits - 2))

/** The row of a product that nobody has bought or rated yet, priced for the shop. */
export function productRow(product: DemoProduct, shop: DemoShop, now: Instant): NewRow<'products'> {
  return {
    ...product,
    price_minor: scaledPrice(product.price_minor, shop),
    search_text: searchTextOf(product),
    created_at: now,
    updated_at: now,
  }
}

/** The row of a user without a password, who therefore cannot sign in. */
export function userRow({ name, email, age }: DemoUser, now: Instant): NewRow<'users'> {
  return { ...describeUser({ name, email, age }), created_at: now, updated_at: now }
}
