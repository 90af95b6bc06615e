import type { DemoCategory, DemoProduct } from './rows.ts'

/** Pieces on hand, or why they are not counted. */
type OnHand = number | 'uncounted' | 'preorder' | 'discontinued'

/** One product as it is written down: price in US cents, then one or two sentences about it. */
export type ShelfLine = readonly [
  sku: string,
  name: string,
  price_minor: number,
  on_hand: OnHand,
  ...sentences: string[],
]

/** Turns the lines of one category into product rows whose availability agrees with the stock. */
export function fillShelf(
  category: DemoCategory,
  lines: readonly ShelfLine[],
): readonly DemoProduct[] {
  return lines.map(([sku, name, price_minor, onHand, ...sentences]) => ({
    name,
    description: sentences.join(' '),
    sku,
    price_minor,
    category,
    availability: availabilityOf(onHand),
    stock: typeof onHand === 'number' ? onHand : null,
    image_url: imageOf(sku, onHand),
  }))
}

function availabilityOf(onHand: OnHand): DemoProduct['availability'] {
  if (onHand === 'uncounted') return 'in_stock'
  if (typeof onHand === 'string') return onHand
  return onHand === 0 ? 'out_of_stock' : 'in_stock'
}

/** Vouchers and downloads have nothing to photograph, and a preorder has not arrived yet. */
function imageOf(sku: string, onHand: OnHand): string | null {
  if (onHand === 'uncounted' || onHand === 'preorder') return null
  return `https://images.example.com/products/${sku.toLowerCase()}.jpg`
}
