/**
 * The columns of `product_counts`: the number of products by category and availability, variants apart. An
 * empty category counts all products. As in every count table, several rows may share a key, and a count
 * is their sum; triggers maintain them.
 */
interface ProductCountRow {
  is_variant: number
  category: string
  availability: 'in_stock' | 'out_of_stock' | 'preorder' | 'discontinued'
  number: number
}

/** The columns of `order_counts`: the number of orders by user and status. User 0 counts all orders. */
interface OrderCountRow {
  user_id: number
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded'
  number: number
}

/** The columns of `user_counts`: the number of users by role, status and age. Age -1 counts every age. */
interface UserCountRow {
  role: 'customer' | 'guest' | 'admin'
  status: 'active' | 'suspended'
  age: number
  number: number
}

/** The columns of `review_counts`: the number of published reviews by product and rating. */
interface ReviewCountRow {
  product_id: number
  rating: number
  number: number
}

/** The columns of `list_counts`: the number of rows of a table. */
interface ListCountRow {
  list: 'purchases'
  number: number
}

/** The count tables by name; migrations create them together with their triggers. */
export interface CountTables {
  product_counts: ProductCountRow
  order_counts: OrderCountRow
  user_counts: UserCountRow
  review_counts: ReviewCountRow
  list_counts: ListCountRow
}
