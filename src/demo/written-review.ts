/** One review as it is written down: the product's SKU, then what a buyer thought of it. */
export type WrittenReview = readonly [
  sku: string,
  rating: 1 | 2 | 3 | 4 | 5,
  title: string,
  ...sentences: string[],
]
