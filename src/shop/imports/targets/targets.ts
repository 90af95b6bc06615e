import type { ImportedResource } from '#shop/imports/table.ts'
import { categoryTarget } from './categories.ts'
import { orderTarget } from './orders.ts'
import { withImages } from './product-images.ts'
import { priceTarget, productTarget, stockTarget } from './products.ts'
import type { ImportTarget } from './target.ts'
import { userTarget } from './users.ts'

/** What can be imported. */
export const importTargets: Readonly<Record<ImportedResource, ImportTarget>> = {
  products: withImages(productTarget),
  users: userTarget,
  stock: stockTarget,
  prices: priceTarget,
  categories: categoryTarget,
  orders: orderTarget,
}
