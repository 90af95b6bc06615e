import type { Actor } from '#http/declare/actor.ts'
import { managesProducts } from '#shop/manages-products.ts'
import { productStatuses } from './fields.ts'
import type { ProductRow } from './table.ts'

/** What decides whether the public sees a product. */
export type ProductVisibility = Pick<ProductRow, 'status' | 'parent_status'>

/** The section of a product, as its column has it. */
export const sectionOf = ({
  status,
  parent_status,
  variant_of,
}: ProductVisibility & Pick<ProductRow, 'variant_of'>): number => {
  const [own, ofParent] = [status, parent_status ?? 'active'].map((each) =>
    productStatuses.indexOf(each),
  )
  return 2 * Math.max(own ?? 0, ofParent ?? 0) + (variant_of === null ? 0 : 1)
}

/** True for a product that the public sees and may buy: it is active, and so is its parent. */
export const isActive = ({ status, parent_status }: ProductVisibility): boolean =>
  status === 'active' && (parent_status ?? 'active') === 'active'

/** True for a product that the caller may see. */
export const isProductVisible = (
  product: ProductVisibility,
  actor: Pick<Actor, 'role' | 'scopes'>,
): boolean => isActive(product) || managesProducts(actor)
