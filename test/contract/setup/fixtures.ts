import { decodeJwt } from 'jose'
import { createMessage } from '#i18n/message.ts'
import { insertErrors } from '#shop/imports/store.ts'
import { operations } from '#shop/imports/table.ts'
import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import { confirmAddress, type TestCaller, testPassword } from '#test/support/app.ts'
import { addProduct, type PayingApp, testShipping } from '#test/support/callers/paying.ts'
import { sendBytes, validUpload } from '#test/support/images/uploads.ts'
import { insertGrant } from '#test/support/oauth-grants.ts'
import { rowTimestamp } from '#test/support/rows.ts'
import { dayMs } from '#values/instant.ts'
import type { Fixtures } from './fixture-ids.ts'
import {
  fixturePrice,
  oneOf,
  permittedCaller,
  plainCreations,
  resolvePath,
  validBody,
} from './valid-requests.ts'

let fixtureCount = 0

/** How many fixtures are created, and which. */
interface FixtureOptions {
  /** Every list of the customer holds at least so many rows; 1 by default. */
  readonly rowCount?: number
  /** All by default. Reading one that is missing then throws. */
  readonly needed?: ReadonlySet<keyof Fixtures> | undefined
}

/** What the fixtures of a customer are made of. */
interface FixtureParts {
  readonly shop: PayingApp
  readonly admin: TestCaller
  readonly owner: TestCaller
  readonly products: readonly number[]
  readonly unreviewed: number
  readonly rowCount: number
  /** Names the categories and the discounts. */
  readonly prefix: string
  /** Creates fixtures if one of these is needed. */
  readonly when: <T>(
    names: readonly (keyof Fixtures)[],
    create: () => Promise<T>,
  ) => Promise<T | undefined>
}

/** What is made of products. */
const ofProducts: readonly (keyof Fixtures)[] = [
  ...(['products', 'unreviewed', 'cartItem', 'discount', 'discountCode'] as const),
  ...(['pendingOrder', 'pendingTotal', 'orderItem', 'paidOrder', 'payment'] as const),
  ...(['refund', 'sentOrder', 'sentItem', 'parcel', 'returned'] as const),
  ...(['purchase', 'review', 'image', 'imageFile'] as const),
]

/** Creates a customer with fixtures. */
export async function createFixtures(
  shop: PayingApp,
  admin: TestCaller,
  { rowCount = 1, needed }: FixtureOptions = {},
): Promise<Fixtures> {
  fixtureCount += 1
  const prefix = `fixtures-${fixtureCount}`
  const when: FixtureParts['when'] = async (names, create) =>
    needed === undefined || names.some((name) => needed.has(name)) ? create() : undefined
  const [owner, added] = await Promise.all([
    shop.signInAs('customer', { email: `${prefix}@example.com`, age: 30 }),
    when(ofProducts, () => addProducts(admin, prefix, rowCount + 1)),
  ])
  await confirmAddress(shop.db, owner.id)
  const [unreviewed = 0, ...products] = added ?? []
  await addPrices(admin, products[0], rowCount - 1)
  const parts = { shop, admin, owner, products, unreviewed, rowCount, prefix, when }
  const owned = await createOwned(parts)
  const managed = await createManaged(parts)
  if (needed === undefined) await completeShop(parts)
  const created = {
    ...{ admin, owner, ...(added && { products, unreviewed }) },
    ...owned,
    ...managed,
    auditEvent: await when(['auditEvent'], () =>
      firstOf(admin, `/audit-events?subject_id=${owner.id}`),
    ),
    event: await when(['event'], async () => {
      const [product] = await addProducts(admin, `${prefix}-event`, 1)
      return firstOf(admin, `/events?subject=/products/${product}`)
    }),
    resetToken: await when(['resetToken'], () => insertToken(shop, owner.id, 'password_reset')),
    confirmationToken: await when(['confirmationToken'], () =>
      insertToken(shop, owner.id, 'email_confirmation'),
    ),
    undoToken: await when(['undoToken'], () => insertToken(shop, owner.id, 'address_change')),
    unconfirmed: await when(['unconfirmed'], async () => {
      // The owner of all fixtures has confirmed the address, to make keys.
      const changes = { email_verified: needed === undefined ? 1 : 0 }
      await shop.db.updateTable('users').set(changes).where('id', '=', owner.id).execute()
      return owner.id
    }),
  }
  const plain = await when(['plain'], () => createPlain(parts, requireCreated(created)))
  return requireCreated({ ...created, plain })
}

/** Creates, by their examples, what needs no fixture of its own. */
async function createPlain(
  { shop, admin, owner, rowCount }: FixtureParts,
  fixtures: Fixtures,
): Promise<Fixtures['plain']> {
  const ids = new Map<string, number>()
  for (const route of plainCreations(shop.operations.map((operation) => operation.route))) {
    const caller = permittedCaller(route) === 'admin' ? admin : owner
    for (let made = 0; made < rowCount; made++) {
      const url = resolvePath(route, fixtures)
      const { json } = await send(caller, 'POST', url, numbered(validBody(route, fixtures), made))
      if (!ids.has(route.path)) ids.set(route.path, json.id)
    }
  }
  return (path) => {
    const id = ids.get(path.slice(0, path.lastIndexOf('/')))
    if (id === undefined) throw new Error(`test/contract/setup/valid-requests.ts has no ${path}`)
    return id
  }
}

/** Throws where a fixture is read that was not created. */
function requireCreated(
  created: {
    readonly [Name in keyof Fixtures]?: Fixtures[Name] | undefined
  },
): Fixtures {
  return new Proxy(created as Fixtures, {
    get(target, name) {
      const value = Reflect.get(target, name)
      // Awaiting an object reads its `then`.
      if (value !== undefined || name === 'then') return value
      throw new Error(`The fixture ${String(name)} was not created for this request`)
    },
  })
}

/** Creates what the customer owns. */
async function createOwned({
  shop,
  admin,
  owner,
  products,
  unreviewed,
  rowCount,
  when,
}: FixtureParts) {
  const clients = await when(['oauthClient', 'oauthConsent'], () =>
    registerClients(admin, rowCount),
  )
  const [cartItem, orders, bought, apiKey, session, oauthConsent] = await Promise.all([
    when(['cartItem', 'discount', 'discountCode'], () => fillCart(owner, products)),
    when(['pendingOrder', 'pendingTotal', 'orderItem'], () =>
      placeOrders(owner, products, rowCount),
    ),
    when(['paidOrder', 'payment', 'refund', 'purchase', 'review'], () =>
      buyAndReview(shop, owner, [...products, unreviewed], rowCount),
    ),
    when(['apiKey'], () => createApiKeys(owner, rowCount)),
    when(['session'], () => signInAgain(shop, owner, rowCount)),
    clients && consentTo(shop, owner, clients),
  ])
  const refund = bought && (await refundParts(admin, bought.paidOrder, rowCount))
  const sent = await when(['sentOrder', 'sentItem', 'parcel', 'returned'], () =>
    sendParcels(admin, owner, unreviewed, rowCount),
  )
  const oauthClient = clients?.[0]?.id
  const others = { cartItem, refund, apiKey, session, oauthClient, oauthConsent }
  return { ...orders, ...bought, ...sent, ...others }
}

/** Creates what administrators manage. */
async function createManaged({
  shop,
  admin,
  owner,
  products,
  rowCount,
  prefix,
  when,
}: FixtureParts) {
  const parent = await when(['parent'], () => addParent(admin, rowCount))
  const code = prefix.toUpperCase()
  const settings = await when(['shippingMethod', 'taxRate', 'discount', 'discountCode'], () =>
    createSettings(admin, code, rowCount),
  )
  await when(['discount', 'discountCode'], () =>
    send(owner, 'PUT', `/users/${owner.id}/cart/discount`, { code }),
  )
  const images = await when(['image', 'imageFile'], () =>
    addImages(shop, admin, products[0] ?? 0, rowCount),
  )
  const shelves = await when(['category', 'categoryAbove'], () => addShelves(admin, prefix))
  const webhooks = await when(['webhook', 'delivery'], () => createWebhooks(admin, rowCount))
  const operation = await when(['operation'], () => insertOperations(shop, admin, rowCount))
  return { parent, ...settings, ...shelves, discountCode: code, ...images, ...webhooks, operation }
}

const firstOf = async (caller: TestCaller, path: string) =>
  (await send(caller, 'GET', path)).json.data[0].id

/** A body with a number in its texts, so that it differs from others, and from the body of a change. */
const numbered = (body: object, count: number): object =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) =>
      typeof value === 'string' && value.includes(' ')
        ? [name, `${value} ${count}`]
        : [name, value],
    ),
  )

/** Adds what no single fixture is: more categories, an order with a discount, a request for deletion. */
async function completeShop({ admin, owner, unreviewed, rowCount, prefix }: FixtureParts) {
  await addCategories(admin, prefix, rowCount - 1)
  await send(owner, 'POST', '/orders', {
    items: [oneOf(unreviewed)],
    discount_code: `${prefix.toUpperCase()}-NEXT`,
  })
  await send(owner, 'POST', '/user/delete', { reason: 'I buy elsewhere now.' })
}

/** Adds `count` images to a product; returns the first one. */
async function addImages(shop: PayingApp, admin: TestCaller, productId: number, count: number) {
  const url = `/products/${productId}/images`
  const added = []
  for (let made = 0; made < count; made++) {
    const { payload, headers } = validUpload
    added.push(await sendBytes(shop, admin, url, payload, headers))
  }
  const [image] = added
  if (image?.status !== 201) throw new Error(`Adding an image failed: ${image?.text}`)
  const { id, urls } = image.json
  return { image: id, imageFile: new URL(urls['320']).pathname.replace('/files/', '') }
}

/** Inserts a token that is as good as one that was mailed. */
async function insertToken(shop: PayingApp, user_id: number, purpose: AccountTokenPurpose) {
  const { accountTokens } = shop.parts
  const { salt, hash: token_hash } = accountTokens.create()
  const { email_key } = await shop.db
    .selectFrom('users')
    .select('email_key')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const times = { created_at: shop.now, expires_at: shop.now + dayMs }
  const email = purpose === 'address_change' ? email_key : null
  const token = { token_hash, salt, purpose, user_id, email_key: email_key ?? '', email, ...times }
  await shop.db.insertInto('account_tokens').values(token).execute()
  return accountTokens.tokenOf({ salt, hash: token_hash }) ?? ''
}

async function send({ request }: TestCaller, ...[method, url, body]: [string, string, object?]) {
  const response = await request(method, url, body)
  if (response.status >= 300)
    throw new Error(`Creating fixtures failed at ${method} ${url}: ${response.text}`)
  return response
}

/**
 * Creates `count` shipping methods, tax rates and discounts, and a discount whose code ends with NEXT;
 * returns the IDs of the first ones.
 */
async function createSettings(admin: TestCaller, code: string, count: number) {
  await send(admin, 'POST', '/discounts', { code: `${code}-NEXT`, kind: 'percent', value: '10' })
  const ids: [number, number, number][] = []
  for (let made = 0; made < count; made++) {
    const name = made === 0 ? code : `${code}-${made}`
    const method = { code: name.toLowerCase(), name: 'Courier', price: 7, countries: ['IS'] }
    const rate = { country: 'IS', region: name, rate: '24', name: 'VSK' }
    const [{ json: shipping }, { json: tax }, { json: discount }] = await Promise.all([
      send(admin, 'POST', '/shipping-methods', method),
      send(admin, 'POST', '/tax-rates', rate),
      send(admin, 'POST', '/discounts', { code: name, kind: 'free_shipping' }),
    ])
    ids.push([shipping.id, tax.id, discount.id])
  }
  const [[shippingMethod, taxRate, discount] = [0, 0, 0]] = ids
  return { shippingMethod, taxRate, discount }
}

/** Refunds `count` small parts of an order; returns the ID of the first refund. */
async function refundParts(admin: TestCaller, orderId: number, count: number): Promise<number> {
  const path = `/orders/${orderId}/refunds`
  const { json } = await send(admin, 'POST', path, { amount: 0.01, reason: 'A scratch.' })
  for (let made = 1; made < count; made++) await send(admin, 'POST', path, { amount: 0.01 })
  return json.id
}

/** Sends `count` parcels of an order of a product, of which some pieces are left to send, and asks for as many returns. */
async function sendParcels(
  admin: TestCaller,
  owner: TestCaller,
  product_id: number,
  count: number,
) {
  const { json: order } = await send(owner, 'POST', '/orders', {
    items: [{ product_id, quantity: 2 * count + 5 }],
    shipping: testShipping,
  })
  const card = { method: 'card', token: 'tok_visa' }
  await send(owner, 'POST', `/users/${owner.id}/orders/${order.id}/payment`, card)
  const item = await firstOf(admin, `/orders/${order.id}/items`)
  const path = `/orders/${order.id}/parcels`
  const items = [{ order_item_id: item, quantity: 1 }]
  const { json: parcel } = await send(admin, 'POST', path, { items })
  for (let made = 1; made < count; made++) await send(admin, 'POST', path, { items })
  const more = [{ order_item_id: item, quantity: 3 }]
  await send(admin, 'POST', path, { items: more })
  const returns = `/orders/${order.id}/returns`
  const { json: returned } = await send(owner, 'POST', returns, { items, kind: 'return' })
  for (let made = 1; made < count; made++) {
    await send(owner, 'POST', returns, { items, kind: 'return' })
  }
  return {
    returned: returned.id as number,
    sentOrder: order.id as number,
    sentItem: item as number,
    parcel: parcel.id as number,
  }
}

const addProducts = (admin: TestCaller, category: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const product = { name: `Kettle ${index}`, category, price: fixturePrice }
      return (await addProduct(admin, product)).id
    }),
  )

/** Gives a product prices beside its first one, all of the same amount. */
async function addPrices(
  admin: TestCaller,
  productId: number | undefined,
  count: number,
): Promise<void> {
  if (productId === undefined) return
  for (let made = 1; made <= count; made++) {
    await send(admin, 'PATCH', `/products/${productId}`, { compare_at_price: made / 100 })
  }
}

/** Adds a category without products, and one above it. */
async function addShelves(admin: TestCaller, prefix: string) {
  const above = await send(admin, 'POST', '/categories', { name: `${prefix} shelves` })
  const shelf = { name: `${prefix} shelf`, parent_id: above.json.id }
  const { json } = await send(admin, 'POST', '/categories', shelf)
  return { category: json.id as number, categoryAbove: above.json.id as number }
}

/** Adds products with a category of their own. */
async function addCategories(admin: TestCaller, prefix: string, count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    await addProduct(admin, { name: 'Lamp', category: `${prefix}-${made}`, price: fixturePrice })
  }
}

/** Adds a product with variants; returns its ID. */
async function addParent(admin: TestCaller, count: number): Promise<number> {
  const { id } = await addProduct(admin, { name: 'T-shirt', price: fixturePrice })
  for (let made = 0; made < count; made++) {
    const variant = { variant_of: id, options: { size: `Size ${made}` }, stock: 5 }
    await addProduct(admin, { name: `T-shirt, size ${made}`, price: fixturePrice, ...variant })
  }
  return id
}

/** Adds one unit of each product to the cart; returns the ID of the first item. */
async function fillCart(owner: TestCaller, products: readonly number[]): Promise<number> {
  const [first = 0, ...others] = products
  const { json: item } = await send(owner, 'POST', '/cart', oneOf(first))
  for (const id of others) await send(owner, 'POST', '/cart', oneOf(id))
  return item.id
}

/** Pays an order of the products and reviews the first of them. */
async function buyAndReview(
  shop: PayingApp,
  owner: TestCaller,
  products: readonly number[],
  rowCount: number,
) {
  const { orderId, payment } = await payOrder(owner, products, rowCount)
  const purchases = await send(owner, 'GET', `/purchases?order_id=${orderId}`)
  const [first = 0] = products
  const review = await send(owner, 'POST', `/products/${first}/reviews`, { rating: 4 })
  await insertReviews(shop, first, rowCount - 1)
  return {
    paidOrder: orderId,
    payment,
    purchase: purchases.json.data[0].id as number,
    review: review.json.id as number,
  }
}

async function placeOrders(owner: TestCaller, products: readonly number[], count: number) {
  const path = `/users/${owner.id}/orders`
  const { json: order } = await send(owner, 'POST', path, {
    items: products.map(oneOf),
    shipping: testShipping,
  })
  for (let made = 1; made < count; made++) {
    await send(owner, 'POST', path, { items: products.map(oneOf) })
  }
  const { json: items } = await send(owner, 'GET', `/orders/${order.id}/items`)
  return {
    pendingOrder: order.id as number,
    pendingTotal: order.total as number,
    orderItem: items.data[0].id as number,
  }
}

/** Places and pays an order; all payment attempts but the last are declined. */
async function payOrder(owner: TestCaller, products: readonly number[], attempts: number) {
  const items = products.map(oneOf)
  const { json: order } = await send(owner, 'POST', `/users/${owner.id}/orders`, {
    items,
    shipping: testShipping,
  })
  const path = `/users/${owner.id}/orders/${order.id}/payment`
  for (let made = 1; made < attempts; made++) {
    await owner.request('POST', path, { method: 'card', token: 'tok_declined' })
  }
  const { json: payment } = await send(owner, 'POST', path, { method: 'card', token: 'tok_visa' })
  return { orderId: order.id as number, payment: payment.id as number }
}

interface Client {
  readonly id: number
  readonly client_id: string
}

async function registerClients(admin: TestCaller, count: number): Promise<readonly Client[]> {
  const body = { client_name: 'Tracker', redirect_uris: ['https://tracker.example/callback'] }
  const clients: Client[] = []
  for (let made = 0; made < count; made++) {
    clients.push((await send(admin, 'POST', '/oauth-clients', body)).json)
  }
  return clients
}

/** Stores the owner's consent to each client; returns the ID of one consent. */
async function consentTo(
  shop: PayingApp,
  owner: TestCaller,
  clients: readonly Client[],
): Promise<number> {
  for (const { client_id } of clients) await insertGrant(shop, owner.id, client_id, 'orders:read')
  const { json } = await send(owner, 'GET', '/oauth-consents')
  return json.data[0].id
}

/** Creates API keys; returns the ID of the first. */
async function createApiKeys(owner: TestCaller, count: number): Promise<number> {
  const { json: key } = await send(owner, 'POST', '/api-keys', { name: 'Scanner' })
  for (let made = 1; made < count; made++)
    await send(owner, 'POST', '/api-keys', { name: 'Reader' })
  return key.id
}

/** Inserts imports, and errors of the first one; returns the ID of the first one. */
async function insertOperations({ db, now }: PayingApp, admin: TestCaller, count: number) {
  const ids: number[] = []
  const added = {
    kind: 'import',
    status: 'queued',
    resource: 'stock',
    dry_run: 0,
    credential: '{}',
    media_type: 'text/csv',
    columns: '["sku","stock"]',
    user_id: admin.id,
    due_at: now,
    created_at: now,
    updated_at: now,
  } as const
  for (let made = 0; made < count; made++) {
    const { id } = await operations.insert(db, added)
    ids.push(id)
  }
  const [operation = 0] = ids
  const errors = Array.from({ length: count }, (_, at) => ({
    ...{ line: at + 2, record: at + 2, key: null, field: 'sku', value: null },
    code: '4001' as const,
    message: createMessage('field.required'),
  }))
  await insertErrors(db, operation, errors, now)
  return operation
}

/** Creates webhooks, and deliveries of the first one; returns the IDs of the first ones. */
async function createWebhooks(admin: TestCaller, count: number) {
  // Nothing listens there.
  const body = { url: 'https://127.0.0.1:9/hooks', types: ['*'] }
  const ids: number[] = []
  for (let made = 0; made < count; made++) {
    ids.push((await send(admin, 'POST', '/webhooks', body)).json.id)
  }
  const [webhook = 0] = ids
  const { json } = await send(admin, 'POST', `/webhooks/${webhook}/tests`)
  for (let made = 1; made < count; made++) await send(admin, 'POST', `/webhooks/${webhook}/tests`)
  return { webhook, delivery: json.id as number }
}

async function signInAgain(
  { request }: PayingApp,
  owner: TestCaller,
  count: number,
): Promise<number> {
  const login = { username: owner.username, password: testPassword }
  const ids: number[] = []
  for (let made = 0; made < count; made++) {
    const { json } = await request('POST', '/login', login)
    ids.push(Number(decodeJwt(json.token)['sid']))
  }
  return ids[0] ?? 0
}

/** Inserts reviews whose authors have been erased. */
async function insertReviews({ db }: PayingApp, product_id: number, count: number): Promise<void> {
  const row = { product_id, user_id: null, author: null, rating: 3, verified_purchase: 1 }
  const times = { created_at: rowTimestamp, updated_at: rowTimestamp }
  for (let made = 0; made < count; made++) {
    await db
      .insertInto('reviews')
      .values({ ...row, ...times })
      .execute()
  }
}
