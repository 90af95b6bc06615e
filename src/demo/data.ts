import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { compileCodec } from '#http/codec/codec.ts'
import { english } from '#i18n/en.ts'
import { formatMessage } from '#i18n/message.ts'
import { nullable, stringEnum, type ValueOf } from '#schema/words.ts'
import { User } from '#shop/accounts/users/schema.ts'
import { ProductOptions } from '#shop/catalogue/products/fields.ts'
import { createProductState } from '#shop/catalogue/products/rules.ts'
import { ProductBody } from '#shop/catalogue/products/schema.ts'
import { ReviewBody } from '#shop/catalogue/reviews/schema.ts'
import { Quantity } from '#shop/checkout/carts/schema.ts'
import { Order } from '#shop/orders/orders/schema.ts'
import { Shipping } from '#shop/orders/shipping/schema.ts'
import type { FieldIssue } from '#values/problem.ts'
import categories from './data/categories.json' with { type: 'json' }
import orders from './data/orders.json' with { type: 'json' }
import parents from './data/parents.json' with { type: 'json' }
import people from './data/people.json' with { type: 'json' }
import products from './data/products.json' with { type: 'json' }
import reviews from './data/reviews.json' with { type: 'json' }
import words from './data/words.json' with { type: 'json' }

const Email = Type.String({ maxLength: 320, format: 'email' })
const Sku = Type.String({ minLength: 1 })
const Text = Type.String({ minLength: 1 })
const Texts = Type.Array(Text, { minItems: 1 })
/** Age in hours; eighths of an hour are whole milliseconds. */
const AgeHours = Type.Number({ minimum: 0 })
const WholeDollars = Type.Integer({ minimum: 1 })

const DemoPerson = Type.Object({
  name: User.properties.name,
  email: Email,
  age: User.properties.age,
  home: Shipping.properties.address,
})

/** An order in the data file, by email address and SKU. */
const WrittenOrder = Type.Object({
  email: Email,
  status: stringEnum(['pending', 'paid', 'shipped', 'delivered', 'cancelled']),
  note: Order.properties.note,
  shipping_method: stringEnum(['standard', 'express', 'pickup']),
  tracking_number: Shipping.properties.tracking_number,
  age_hours: AgeHours,
  shipped_age_hours: nullable(AgeHours),
  delivered_age_hours: nullable(AgeHours),
  items: Type.Array(Type.Object({ sku: Sku, quantity: Quantity }), { minItems: 1 }),
})

const DemoReview = Type.Object({
  ...ReviewBody.properties,
  sku: Sku,
  email: Email,
  age_hours: AgeHours,
})

const BulkWords = Type.Object({
  firstNames: Texts,
  lastNames: Texts,
  streets: Texts,
  series: Texts,
  categories: Type.Array(
    Type.Object({
      category: Text,
      skuPrefix: Text,
      line: Text,
      lowestPrice: WholeDollars,
      highestPrice: WholeDollars,
      adjectives: Texts,
      materials: Texts,
      things: Texts,
      praises: Texts,
    }),
    { minItems: 1 },
  ),
})

/** An order with its recipient and address. */
export interface DemoOrder extends ValueOf<typeof WrittenOrder> {
  readonly recipient: string
  /** Null for pickup. */
  readonly address: ValueOf<typeof Shipping.properties.address> | null
}

/** Decodes a data file. Throws an Error that lists all schema violations. */
export function checkData<S extends TSchema>(file: string, schema: S, data: unknown): ValueOf<S> {
  const issues: FieldIssue[] = []
  const { decode } = compileCodec(schema, { currency: 'USD', currencyDigits: 2 })
  const values = decode(data, file, issues)
  if (issues.length === 0) return values as ValueOf<S>
  const lines = issues.map(({ field, message }) => `${field} ${formatMessage(message, english)}`)
  throw new Error(`the demo data is malformed\n${lines.join('\n')}`)
}

/** The categories of the demo shop that are below others: names from the root down. */
export const DEMO_CATEGORIES = checkData('categories', Type.Array(Texts), categories)

/** The products of the demo shop in the order of its catalogue; prices in US cents. */
export const DEMO_PRODUCTS = checkData('products', Type.Array(ProductBody), products).map(
  createProductState,
)

const { options: _, ...fieldsOfProducts } = ProductBody.properties

/**
 * The products of the demo shop that come in variants, which have the fields of their product but
 * these.
 */
export const DEMO_PARENTS = checkData(
  'parents',
  Type.Array(
    Type.Object({
      ...fieldsOfProducts,
      variants: Type.Array(
        Type.Object({
          sku: Sku,
          price: fieldsOfProducts.price,
          stock: Type.Integer({ minimum: 0 }),
          options: ProductOptions.anyOf[0],
        }),
        { minItems: 1 },
      ),
    }),
  ),
  parents,
)

/** The customers of the demo shop. */
export const DEMO_PEOPLE = checkData('people', Type.Array(DemoPerson), people)

/** The reviews of the demo shop, the oldest first. */
export const DEMO_REVIEWS = checkData('reviews', Type.Array(DemoReview), reviews)

/** The orders of the demo shop, the oldest first. */
export const DEMO_ORDERS: readonly DemoOrder[] = checkData(
  'orders',
  Type.Array(WrittenOrder),
  orders,
).map((order) => {
  const { name, home } = personOf(order.email)
  return { ...order, recipient: name, address: order.shipping_method === 'pickup' ? null : home }
})

/** Returns the customer with this e-mail address; throws an Error where there is none. */
export function personOf(email: string): ValueOf<typeof DemoPerson> {
  const person = DEMO_PEOPLE.find((candidate) => candidate.email === email)
  if (!person) throw new Error(`the demo data has no person with the e-mail address ${email}`)
  return person
}

/** The words that generated products and users are made of. */
export const BULK_WORDS = checkData('words', BulkWords, words)
