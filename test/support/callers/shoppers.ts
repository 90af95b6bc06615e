import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { entryAt, integerBetween, type Random } from '#src/demo/random.ts'
import type { TestRequest } from '#test/support/app.ts'
import { repeatWhileOverloaded } from '#test/support/services/overload.ts'
import { type Fact, type Memory, UnansweredError } from '#test/support/shop/acknowledged.ts'
import { testShipping } from './paying.ts'

/** An order as acknowledged to its buyer. */
interface PlacedOrder {
  readonly id: number
  readonly products: readonly number[]
  readonly status: Fact
  readonly recipient: Fact
  readonly payments: Fact[]
}

/** A customer who sends one request after another. */
export interface Buyer {
  readonly id: number
  token: string
  /** The number of orders and the content of the cart. */
  readonly account: Fact
  orderCount: number
  cart: Map<number, number>
  /** The Idempotency-Key of an order request without a response yet. */
  orderKey: string | undefined
  readonly orders: PlacedOrder[]
}

/** The state that all shoppers share. */
export interface ShopFloor {
  readonly memory: Memory
  readonly random: Random
  /** The IDs of the products for sale. */
  readonly products: readonly number[]
  /** The description of each product by its ID. */
  readonly descriptions: ReadonlyMap<number, Fact>
  readonly buyers: readonly Buyer[]
}

const orderCourse = ['pending', 'paid', 'cancelled']
const paymentCourse = ['pending', 'succeeded', 'refunded']

const describeAccount = (orderCount: number, cart: ReadonlyMap<number, number>): string => {
  const lines = [...cart].sort(([one], [other]) => one - other)
  return `${orderCount} orders and ${lines.map(([id, count]) => `${count} of ${id}`).join(', ')}`
}

/** Creates a buyer who has just signed up and has an empty cart. */
export function createBuyer(memory: Memory, id: number, token: string): Buyer {
  const read = async (request: TestRequest): Promise<string> => {
    const orders = await readJson(request, `/users/${id}/orders?limit=1`)
    const cart = await readJson(request, `/users/${id}/cart`)
    // The outcome of the last write may be unknown, so the buyer continues with the state read.
    buyer.orderCount = orders.pagination.total_items
    buyer.cart = new Map(
      cart.items.map((line: { product_id: number; quantity: number }) => [
        line.product_id,
        line.quantity,
      ]),
    )
    return describeAccount(buyer.orderCount, buyer.cart)
  }
  const empty = new Map<number, number>()
  const account = memory.learn({ name: `buyer ${id}`, read }, describeAccount(0, empty))
  const started = { orderCount: 0, cart: empty, orderKey: undefined, orders: [] }
  const buyer: Buyer = { id, token, account, ...started }
  return buyer
}

/** Records one field of the resource at a path. */
export const learnField = (
  memory: Memory,
  path: string,
  field: string,
  state: string,
  course?: readonly string[],
): Fact =>
  memory.learn(
    {
      name: `${field} of ${path}`,
      read: async (request) => String((await readJson(request, path))[field]),
      ...(course ? { course } : {}),
    },
    state,
  )

async function readJson(request: TestRequest, path: string) {
  // An overloaded server has lost nothing.
  const { status, json, text } = await repeatWhileOverloaded(request)('GET', path)
  assert.equal(status, 200, `${path}: ${text}`)
  return json
}

/** Repeats an action until the server stops answering. */
async function repeatUntilUnanswered(action: () => Promise<void>): Promise<void> {
  try {
    for (;;) await action()
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
  }
}

/** Buys until the server stops answering. */
export const keepBuying = (floor: ShopFloor, buyer: Buyer, request: TestRequest): Promise<void> =>
  repeatUntilUnanswered(async () => {
    const lines = integerBetween(1, 2, floor.random)
    for (let line = 0; line < lines; line += 1) await addToCart(floor, buyer, request)
    const order = await placeOrder(floor, buyer, request, randomUUID())
    if (!order) return
    await changeRecipient(floor, order, request)
    if (floor.random() < 0.1) return cancel(floor, order, request)
    await pay(floor, buyer, order, request)
    if (floor.random() < 0.3) await pay(floor, buyer, order, request)
    if (floor.random() < 0.3) await review(floor, order, request)
  })

/** Repeats an order without a response under its key, after which it is placed exactly once. */
export async function repeatOrder(
  floor: ShopFloor,
  buyer: Buyer,
  request: TestRequest,
): Promise<void> {
  if (buyer.orderKey !== undefined) await placeOrder(floor, buyer, request, buyer.orderKey)
}

async function addToCart(floor: ShopFloor, buyer: Buyer, request: TestRequest): Promise<void> {
  const product = entryAt(floor.products, floor.random())
  const quantity = integerBetween(1, 3, floor.random)
  const { cart, account, orderCount } = buyer
  const next = new Map(cart).set(product, (cart.get(product) ?? 0) + quantity)
  const body = { product_id: product, quantity }
  const send = () => request('POST', '/cart', body)
  const change = [account, describeAccount(orderCount, next)] as const
  const { status, json } = await floor.memory.write(send, [200, 201, 409], change)
  if (status > 201) return
  assert.equal(json.quantity, next.get(product))
  buyer.cart = next
}

async function placeOrder(
  { memory }: ShopFloor,
  buyer: Buyer,
  request: TestRequest,
  key: string,
): Promise<PlacedOrder | undefined> {
  const { id, cart, account, orderCount } = buyer
  if (cart.size === 0) return undefined
  const body = { shipping: { ...testShipping, recipient: 'No recipient' } }
  buyer.orderKey = key
  const send = () => request('POST', `/users/${id}/orders`, body, { 'idempotency-key': key })
  const change = [account, describeAccount(orderCount + 1, new Map())] as const
  const { status, json } = await memory.write(send, [201, 409], change)
  buyer.orderKey = undefined
  if (status !== 201) {
    // A product in the cart has sold out.
    if (json.error_code === '4093') await emptyCart(memory, buyer, request)
    return undefined
  }
  buyer.cart = new Map()
  buyer.orderCount = orderCount + 1
  const path = `/orders/${json.id}`
  const order = {
    id: json.id,
    products: [...cart.keys()],
    status: learnField(memory, path, 'status', 'pending', orderCourse),
    recipient: learnField(memory, `${path}/shipping`, 'recipient', 'No recipient'),
    payments: [],
  }
  learnField(memory, path, 'total', String(json.total))
  buyer.orders.push(order)
  return order
}

async function emptyCart(memory: Memory, buyer: Buyer, request: TestRequest): Promise<void> {
  const { id, account, orderCount } = buyer
  const send = () => request('DELETE', `/users/${id}/cart`)
  await memory.write(send, [204], [account, describeAccount(orderCount, new Map())])
  buyer.cart = new Map()
}

async function changeRecipient(
  floor: ShopFloor,
  order: PlacedOrder,
  request: TestRequest,
): Promise<void> {
  const recipient = `Number ${integerBetween(1, 1_000_000, floor.random)}`
  const send = () => request('PATCH', `/orders/${order.id}/shipping`, { recipient })
  await floor.memory.write(send, [200, 409], [order.recipient, recipient])
}

async function cancel({ memory }: ShopFloor, order: PlacedOrder, request: TestRequest) {
  const send = () => request('PATCH', `/orders/${order.id}`, { status: 'cancelled' })
  await memory.write(send, [200, 409], [order.status, 'cancelled'])
}

/** Cards whose charge succeeds at once, later, never, or without a response. */
const cards = [
  'tok_visa',
  'tok_visa',
  'tok_visa',
  'tok_later',
  'tok_twice',
  'tok_declined',
  'tok_slow',
  'tok_timeout',
  'tok_charged_then_timeout',
]

async function pay(
  { memory, random }: ShopFloor,
  buyer: Buyer,
  { id, status, payments }: PlacedOrder,
  request: TestRequest,
): Promise<void> {
  const token = entryAt(cards, random())
  if (token !== 'tok_declined') status.allowed.add('paid')
  const body = { method: 'card', token }
  const send = () => request('POST', `/users/${buyer.id}/orders/${id}/payment`, body)
  const answer = await memory.write(send, [201, 202, 409, 422, 504])
  if (answer.status > 202) return
  const paid = answer.status === 201
  if (paid) status.allowed = new Set(['paid'])
  const path = `/payments/${answer.json.id}`
  const state = paid ? 'succeeded' : 'pending'
  const payment = learnField(memory, path, 'status', state, paymentCourse)
  if (!paid) payment.allowed.add('succeeded')
  payments.push(payment)
}

async function review(floor: ShopFloor, order: PlacedOrder, request: TestRequest): Promise<void> {
  const product = entryAt(order.products, floor.random())
  const title = `Title ${integerBetween(1, 1_000_000, floor.random)}`
  const path = `/products/${product}/reviews`
  const send = () => request('POST', path, { rating: integerBetween(1, 5, floor.random), title })
  const { status, json } = await floor.memory.write(send, [201, 403, 409])
  if (status === 201) learnField(floor.memory, `${path}/${json.id}`, 'title', title)
}

/** Changes descriptions and refunds orders as an administrator until the server stops answering. */
export const keepManaging = (floor: ShopFloor, request: TestRequest): Promise<void> =>
  repeatUntilUnanswered(async () => {
    const [id, fact] = entryAt([...floor.descriptions], floor.random())
    const description = `Description ${integerBetween(1, 1_000_000, floor.random)}`
    const send = () => request('PATCH', `/products/${id}`, { description })
    await floor.memory.write(send, [200, 409], [fact, description])
    const paid = entryAt(floor.buyers, floor.random()).orders.filter(isKnownToBePaid)
    if (paid.length > 0 && floor.random() < 0.3) {
      await refundOrder(floor, entryAt(paid, floor.random()), request)
    }
  })

const isKnownToBePaid = ({ status, payments }: PlacedOrder): boolean =>
  status.allowed.size === 1 && status.allowed.has('paid') && payments.length > 0

async function refundOrder(
  floor: ShopFloor,
  order: PlacedOrder,
  request: TestRequest,
): Promise<void> {
  for (const payment of order.payments) payment.allowed.add('refunded')
  const send = () => request('PATCH', `/orders/${order.id}`, { status: 'cancelled' })
  await floor.memory.write(send, [200, 504], [order.status, 'cancelled'])
}

/** Signs up users until the server stops answering. */
export const keepSigningUp = (floor: ShopFloor, request: TestRequest): Promise<void> =>
  repeatUntilUnanswered(async () => {
    const name = `Person ${integerBetween(1, 1_000_000, floor.random)}`
    const send = () => request('POST', '/users', { name })
    const { status, json } = await floor.memory.write(send, [201])
    if (status === 201) learnField(floor.memory, `/users/${json.id}`, 'name', name)
    await new Promise((resolve) => setTimeout(resolve, 10))
  })
