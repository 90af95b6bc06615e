import { defaultMethods, shippingMethods } from '#shop/checkout/shipping-methods.ts'
import { createShopId } from '#shop/shop-id-store.ts'
import type { Store } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { initializeOnce } from './initialize-once.ts'

interface PriceSettings {
  readonly currencyDigits: number
  readonly pricesIncludeTax: boolean
}

/**
 * Fixes whether prices include tax, gives the shop its ID and creates the default shipping methods, once across all
 * starts and processes. Throws a StartError when PRICES_INCLUDE_TAX has changed since.
 */
export const initializePrices = (
  store: Pick<Store, 'transaction'>,
  { currencyDigits, pricesIncludeTax }: PriceSettings,
  now: Instant,
): Promise<boolean> =>
  initializeOnce(
    store,
    { name: 'prices_include_tax', value: pricesIncludeTax ? 'on' : 'off' },
    async (db) => {
      await createShopId(db)
      for (const method of defaultMethods(currencyDigits)) {
        await shippingMethods.create(db, method, now)
      }
    },
  )
