/** The ten category slugs of the demo shop, in shelf order. */
export const DEMO_CATEGORIES = [
  'kitchen',
  'garden',
  'books',
  'audio',
  'toys',
  'outdoor',
  'office',
  'clothing',
  'bath',
  'food',
] as const

/** One of the ten category slugs of the demo shop. */
export type DemoCategory = (typeof DEMO_CATEGORIES)[number]

/** A product's columns without id, times and revision; prices are US cents. */
export interface DemoProduct {
  readonly name: string
  readonly description: string
  readonly sku: string
  readonly price_minor: number
  readonly category: DemoCategory
  readonly availability: 'in_stock' | 'out_of_stock' | 'preorder' | 'discontinued'
  /** Null where the product is not counted. */
  readonly stock: number | null
  readonly image_url: string | null
}

/** Where a parcel goes; `country` is ISO 3166-1 alpha-2. */
export interface DemoAddress {
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly region: string | null
  readonly postal_code: string
  readonly country: string
}

/** A user's columns without credentials, id, times and revision. */
export interface DemoUser {
  readonly name: string
  readonly email: string
  readonly age: number | null
}

/** A user together with the invented address that user's parcels go to. */
export interface DemoPerson extends DemoUser {
  readonly home: DemoAddress
}

/** One order line: `product_index` counts from 0 in the list the order was made for. */
export interface DemoOrderItem {
  readonly product_index: number
  readonly quantity: number
}

/** The order states the demo data shows. */
export type DemoOrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled'

/** An order and its shipping; every `…age_hours` is how long before "now" it happened. */
export interface DemoOrder {
  /** Counts from 0 in the list of people the order was made for. */
  readonly user_index: number
  readonly status: DemoOrderStatus
  readonly note: string | null
  readonly items: readonly DemoOrderItem[]
  readonly age_hours: number
  readonly shipping_method: 'standard' | 'express' | 'pickup'
  readonly recipient: string
  /** Null where the order is picked up. */
  readonly address: DemoAddress | null
  readonly carrier: string | null
  readonly tracking_number: string | null
  readonly tracking_url: string | null
  readonly shipped_age_hours: number | null
  readonly delivered_age_hours: number | null
}

/** A review by someone who received the product, `age_hours` before "now". */
export interface DemoReview {
  readonly user_index: number
  readonly product_index: number
  readonly rating: number
  readonly title: string
  readonly body: string
  readonly age_hours: number
}
