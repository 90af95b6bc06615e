/**
 * The columns of `product_facet_counts`: the number of products by category, availability, price rounded
 * down to its first digit and rating rounded to stars, variants apart. An empty category counts all.
 */
export interface ProductFacetCountTable {
  is_variant: number
  category: string
  availability: 'in_stock' | 'out_of_stock' | 'preorder' | 'discontinued'
  price_step: number
  stars: number
  number: number
}

/** The columns of `product_options`: a value of an option that a variant of a product has. */
export interface ProductOptionTable {
  product_id: number
  name: string
  /** The value in the form in which it is unique. */
  value_key: string
  value: string
}

/** The columns of `product_option_counts`: the number of rows of `product_options` by name and value. */
interface ProductOptionCountRow {
  name: string
  value: string
  number: number
}

/** The tables of facets by name. */
export interface FacetTables {
  product_facet_counts: ProductFacetCountTable
  product_options: ProductOptionTable
  product_option_counts: ProductOptionCountRow
}
