import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { seededRandom } from '#test/support/shop/random-changes.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

const seed = 14
const steps = 200

interface Line {
  readonly product: number
  readonly quantity: number
  /** Whether the product was counted when the line was ordered. */
  readonly isTaken: boolean
  /** The pieces that no refund has taken. */
  left: number
}

interface Placed {
  readonly id: number
  status: 'pending' | 'paid' | 'shipped' | 'ended'
  lines: readonly Line[]
}

/** What shops expect of stock, without a database. */
class Model {
  /** The pieces in stock by product; null where they are not counted. */
  readonly stocks = new Map<number, number | null>()
  readonly orders: Placed[] = []

  /** Returns the lines, and takes their pieces; takes none and returns undefined where some are missing. */
  take(wanted: readonly (readonly [product: number, quantity: number])[]): Line[] | undefined {
    const stockOf = (product: number) => this.stocks.get(product) ?? null
    if (wanted.some(([product, quantity]) => (stockOf(product) ?? quantity) < quantity)) return
    return wanted.map(([product, quantity]) => {
      const isTaken = stockOf(product) !== null
      this.put(product, -quantity)
      return { product, quantity, isTaken, left: quantity }
    })
  }

  /** Puts pieces of a line back, which has them only if it took them. */
  giveBack({ product, isTaken }: Line, pieces: number): void {
    if (isTaken) this.put(product, pieces)
  }

  end(order: Placed): void {
    for (const line of order.lines) this.giveBack(line, line.left)
    order.status = 'ended'
  }

  private put(product: number, pieces: number): void {
    const stock = this.stocks.get(product) ?? null
    if (stock !== null) this.stocks.set(product, stock + pieces)
  }
}

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let buyer: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  /** The steps by name: each does the same to the shop and to the model, or nothing where none applies. */
  const createSteps = (model: Model, random: () => number) => {
    const below = (limit: number) => Math.floor(random() * limit)
    const anyOf = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
    const orderOf = (...statuses: readonly Placed['status'][]) =>
      anyOf(model.orders.filter(({ status }) => statuses.includes(status)))
    const lines = () => {
      const products = [...model.stocks.keys()].filter(() => random() < 0.6)
      const [first = 0] = model.stocks.keys()
      return (products.length > 0 ? products : [first]).map(
        (product) => [product, 1 + below(4)] as const,
      )
    }
    const itemsOf = (wanted: ReturnType<typeof lines>) =>
      wanted.map(([product_id, quantity]) => ({ product_id, quantity }))
    const at = ({ id }: Placed) => `/users/${buyer.id}/orders/${id}`
    const send = async (
      caller: TestCaller,
      [method, path, body]: readonly [string, string, object?],
      expected: number,
    ) => {
      const { status, json, text } = await caller.request(method, path, body)
      assert.equal(status, expected, `${method} ${path} ${JSON.stringify(body)}: ${text}`)
      return json
    }
    const isSame = (wanted: ReturnType<typeof lines>, order: Placed) =>
      wanted.length === order.lines.length &&
      wanted.every(([product, quantity]) =>
        order.lines.some((line) => line.product === product && line.quantity === quantity),
      )

    return {
      count: async () => {
        const product = anyOf([...model.stocks.keys()]) ?? 0
        const stock = random() < 0.35 ? null : below(16)
        await send(admin, ['PATCH', `/products/${product}`, { stock }], 200)
        model.stocks.set(product, stock)
      },
      place: async () => {
        const wanted = lines()
        const taken = model.take(wanted)
        const body = { items: itemsOf(wanted), shipping: testShipping }
        const json = await send(buyer, ['POST', '/orders', body], taken ? 201 : 409)
        if (taken) model.orders.push({ id: json.id, status: 'pending', lines: taken })
      },
      replace: async () => {
        const order = orderOf('pending')
        if (!order) return
        const wanted = lines()
        if (isSame(wanted, order)) return
        const before = new Map(model.stocks)
        for (const line of order.lines) model.giveBack(line, line.quantity)
        const taken = model.take(wanted)
        if (taken) order.lines = taken
        else for (const [product, stock] of before) model.stocks.set(product, stock)
        await send(buyer, ['PUT', at(order), { items: itemsOf(wanted) }], taken ? 200 : 409)
      },
      cancel: async () => {
        const order = orderOf('pending', 'paid')
        if (!order) return
        await send(admin, ['PATCH', at(order), { status: 'cancelled' }], 200)
        model.end(order)
      },
      remove: async () => {
        const order = orderOf('pending')
        if (!order) return
        await send(buyer, ['DELETE', at(order)], 204)
        model.end(order)
      },
      expire: async () => {
        const order = orderOf('pending')
        if (!order) return
        const expires_at = shop.now - 1
        await shop.db.updateTable('orders').set({ expires_at }).where('id', '=', order.id).execute()
        await runJobs(shop.parts, shop.db)
        model.end(order)
      },
      pay: async () => {
        const order = orderOf('pending')
        if (!order) return
        const card = { method: 'card', token: 'tok_visa' }
        await send(buyer, ['POST', `${at(order)}/payment`, card], 201)
        order.status = 'paid'
      },
      ship: async () => {
        const order = orderOf('paid')
        if (!order) return
        await send(admin, ['PATCH', at(order), { status: 'shipped' }], 200)
        order.status = 'shipped'
      },
      refundPieces: async () => {
        const order = orderOf('paid', 'shipped')
        const line = order && anyOf(order.lines.filter(({ left }) => left > 0))
        if (!line) return
        const path = `/orders/${order.id}`
        const { data } = await send(buyer, ['GET', `${path}/items`], 200)
        const item = data.find(
          ({ product_id }: Record<string, unknown>) => product_id === line.product,
        )
        const [quantity, restock] = [1 + below(line.left), random() < 0.5]
        const items = [{ order_item_id: item.id, quantity }]
        await send(admin, ['POST', `${path}/refunds`, { items, restock }], 201)
        line.left -= quantity
        if (restock) model.giveBack(line, quantity)
      },
      refundAll: async () => {
        const order = orderOf('paid', 'shipped')
        if (!order) return
        const restock = random() < 0.5
        await send(admin, ['POST', `/orders/${order.id}/refunds`, { restock }], 201)
        if (restock) model.end(order)
        order.status = 'ended'
      },
    }
  }

  test('every piece is in stock, in an order, sold or written off, whatever happens in which order', async () => {
    const random = seededRandom(seed)
    const model = new Model()
    for (const stock of [10, 5, null])
      model.stocks.set((await shop.addProduct({ stock })).id, stock)
    const actions = Object.entries(createSteps(model, random))
    // Orders are placed more often than anything becomes of them.
    const frequent = ['place', 'count', 'pay']
    const drawn = [...actions, ...actions.filter(([name]) => frequent.includes(name))]
    const ids = [...model.stocks.keys()]
    const done: string[] = []
    for (let step = 0; step < steps; step += 1) {
      const [name, act] = drawn[Math.floor(random() * drawn.length)] ?? []
      done.push(name ?? '')
      await act?.()
      const rows = await shop.db.selectFrom('products').select(['id', 'stock']).execute()
      const stocks = new Map(rows.map(({ id, stock }) => [id, stock]))
      assert.deepEqual(
        ids.map((id) => stocks.get(id)),
        ids.map((id) => model.stocks.get(id)),
        `seed ${seed}, after ${done.join(' ')}`,
      )
    }
    for (const [name] of actions) assert.ok(done.includes(name), name)
    await reconcile(shop.db)
  })
})
