import { createProductState, type ProductState } from '#shop/catalogue/products/rules.ts'
import { summarizeVariants } from '#shop/catalogue/variants/rules.ts'
import {
  findVariants,
  lockParents,
  updateParents,
  updateParentWords,
} from '#shop/catalogue/variants/store.ts'
import type { Db } from '#store/database.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import type { Instant } from '#values/instant.ts'
import { DEMO_PARENTS } from './data.ts'
import { type DemoShop, productRow } from './rows.ts'
import { insertProducts } from './store.ts'

/** Inserts the products with variants, created at this time. The caller owns the transaction. */
export async function insertVariants(db: Db, shop: DemoShop, created: Instant): Promise<void> {
  const parentIds = await insertStates(
    db,
    DEMO_PARENTS.map(({ variants: _, ...parent }) => createProductState(parent)),
    shop,
    created,
  )
  const variants = DEMO_PARENTS.flatMap(({ variants: own, ...parent }, index) =>
    own.map((variant) =>
      createProductState({ ...parent, ...variant, variant_of: parentIds[index] ?? 0 }),
    ),
  )
  await insertStates(db, variants, shop, created)
  const inserted = Map.groupBy(await findVariants(db, parentIds), ({ variant_of }) => variant_of)
  const families = (await lockParents(db, parentIds)).map((parent) => {
    const own = inserted.get(parent.id) ?? []
    return { parent, variants: own, state: summarizeVariants(parent, own) }
  })
  await updateParents(db, families, created)
  await updateParentWords(db, families)
}

/** Inserts products and adds them to the search index; returns their IDs. */
async function insertStates(
  db: Db,
  states: readonly ProductState[],
  shop: DemoShop,
  created: Instant,
): Promise<readonly number[]> {
  const ids = await reserveIds(db, 'products', states.length)
  const rows = states.map((state, index) => ({
    id: ids[index] as number,
    ...productRow(state, shop, created),
  }))
  await insertProducts(db, rows, created)
  return ids
}
