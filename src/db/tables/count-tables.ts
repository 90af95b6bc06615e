/**
 * A row of `product_counts`: how many products there are of a category, or, under an empty one, in
 * all. Like every count it may be in parts, which are summed, and triggers keep it.
 */
interface ProductCountRow {
  category: string
  availability: 'in_stock' | 'out_of_stock' | 'preorder' | 'discontinued'
  number: number
}

/** A row of `order_counts`: how many orders a user has, or, under 0, everybody. */
interface OrderCountRow {
  user_id: number
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded'
  number: number
}

/** A row of `user_counts`: how many users there are of an age, or, under -1, of any or none. */
interface UserCountRow {
  role: 'customer' | 'admin'
  status: 'active' | 'suspended'
  age: number
  number: number
}

/** A row of `review_counts`: how many reviews give a product a rating. */
interface ReviewCountRow {
  product_id: number
  rating: number
  number: number
}

/** A row of `list_counts`: how many rows a whole table has. */
interface ListCountRow {
  list: 'purchases'
  number: number
}

/** The tables of counts, by name; migrations make them together with the triggers. */
export interface CountTables {
  product_counts: ProductCountRow
  order_counts: OrderCountRow
  user_counts: UserCountRow
  review_counts: ReviewCountRow
  list_counts: ListCountRow
}
