/**
 * A row of `product_facet_counts`: the number of products by category, availability, price rounded
 * down to its first digit and rating rounded to stars, variants apart. An empty category counts all.
 */
export interface ProductFacetCountRow {
  is_variant: number
  category: string
  availability: 'in_stock' | 'out_of_stock' | 'preorder' | 'discontinued'
  price_step: number
  stars: number
  number: number
}

/** A row of `product_options`: a value of an option that a variant of a product has. */
export interface ProductOptionRow {
  product_id: number
  name: string
  /** The value in the form in which it is unique. */
  value_key: string
  value: string
}

/** A row of `product_option_counts`: the number of rows of `product_options` by name and value. */
interface ProductOptionCountRow {
  name: string
  value: string
  number: number
}

/** The tables of facets by name. */
export interface FacetTables {
  product_facet_counts: ProductFacetCountRow
  product_options: ProductOptionRow
  product_option_counts: ProductOptionCountRow
}
