import type { ImportedResource } from '#store/tables/operation-tables.ts'
import { priceTarget, productTarget, stockTarget } from './products.ts'
import type { ImportTarget } from './target.ts'
import { userTarget } from './users.ts'

/** What can be imported. */
export const importTargets: Readonly<Record<ImportedResource, ImportTarget>> = {
  products: productTarget,
  users: userTarget,
  stock: stockTarget,
  prices: priceTarget,
}
