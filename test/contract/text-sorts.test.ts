import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

/** Names and codes as people sort them. */
const names = ['Äpfel', 'apple', 'Banana', 'éclair', 'Łódź', 'Zebra 2', 'zebra 10', 'Ω']
const codes = ['a-2', 'a-10', 'b']

interface TextSort {
  readonly sorted: readonly string[]
  /** Returns the request that creates a row with a text; `at` is another number for each. */
  readonly creation: (text: string, at: number) => readonly [path: string, body: object]
}

/** Every list that is sorted by a text, and the field. */
const textSorts: Readonly<Record<string, TextSort>> = {
  '/products name': { sorted: names, creation: (name) => ['/products', { name, price: 1 }] },
  '/users name': { sorted: names, creation: (name) => ['/users', { name }] },
  '/users email': {
    sorted: ['ada2@example.com', 'Ada10@example.com', 'bo@example.com'],
    creation: (email) => ['/users', { name: 'Sorted', email }],
  },
  '/tax-rates name': {
    sorted: names,
    creation: (name, at) => ['/tax-rates', { country: 'IE', region: `${at}`, rate: '1', name }],
  },
  '/shipping-methods name': {
    sorted: names,
    creation: (name, at) => ['/shipping-methods', { code: `x${at}`, name, price: 1 }],
  },
  '/shipping-methods code': {
    sorted: codes,
    creation: (code) => ['/shipping-methods', { code, name: 'Sorted', price: 1 }],
  },
  '/discounts code': {
    sorted: codes,
    creation: (code) => ['/discounts', { code, kind: 'free_shipping' }],
  },
  '/api-keys name': { sorted: names, creation: (name) => ['/api-keys', { name }] },
  '/oauth-clients client_name': {
    sorted: names,
    creation: (client_name) => [
      '/oauth-clients',
      { client_name, redirect_uris: ['https://tracker.example/callback'] },
    ],
  },
  '/categories name': {
    sorted: names,
    creation: (category) => ['/products', { name: 'Sorted', price: 1, category }],
  },
}

interface TextSchema {
  readonly type?: string
  readonly enum?: unknown
  readonly format?: string
  readonly anyOf?: readonly TextSchema[]
}

/** True for a text that is neither a word of a list nor a time. */
const isFreeText = ({ anyOf = [], ...schema }: TextSchema): boolean =>
  anyOf.some(isFreeText) ||
  (schema.type === 'string' &&
    schema.enum === undefined &&
    (schema.format === undefined || schema.format === 'email'))

eachDatabase((kind) => {
  describe('lists that are sorted by a text', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    /** Reads a list page by page, and returns the texts of these. */
    const read = async (path: string, field: string, order: string, texts: readonly string[]) => {
      const found: string[] = []
      const start = `${path}?sort=${field}&order=${order}&limit=3`
      for (let cursor: string | null = ''; cursor !== null; ) {
        const url = cursor === '' ? start : `${start}&cursor=${encodeURIComponent(cursor)}`
        const { status, json, text } = await admin.request('GET', url)
        assert.equal(status, 200, text)
        found.push(...json.data.map((row: Record<string, string>) => row[field]))
        cursor = json.pagination.next_cursor
      }
      return found.filter((text) => texts.includes(text))
    }

    for (const [list, { sorted, creation }] of Object.entries(textSorts)) {
      test(`${list} ignores case and accents and counts numbers by value`, async () => {
        const [path = '', field = ''] = list.split(' ')
        for (const [at, text] of sorted.toReversed().entries()) {
          const [target, body] = creation(text, at)
          const { status, text: answer } = await admin.request('POST', target, body)
          assert.equal(status, 201, answer)
        }
        assert.deepEqual(await read(path, field, 'asc', sorted), sorted)
        assert.deepEqual(await read(path, field, 'desc', sorted), sorted.toReversed())
      })
    }

    test('items of an order are sorted so', async () => {
      const { json: listed } = await admin.request('GET', '/products?limit=100')
      const wanted = listed.data.filter(({ name }: { name: string }) => names.includes(name))
      const { json: order, text } = await admin.request('POST', `/users/${admin.id}/orders`, {
        items: wanted.map(({ id }: { id: number }) => ({ product_id: id, quantity: 1 })),
      })
      assert.ok(order.id, text)
      assert.deepEqual(await read(`/orders/${order.id}/items`, 'name', 'asc', names), names)
    })

    test('a changed name moves its row', async () => {
      const { json } = await admin.request('GET', '/users?name=%C3%84pfel')
      const [{ id }] = json.data
      const renamed = await admin.request('PATCH', `/users/${id}`, { name: 'Zebra 3' })
      assert.equal(renamed.status, 200, renamed.text)
      const order = [...names.slice(1, 6), 'Zebra 3', ...names.slice(6)]
      assert.deepEqual(await read('/users', 'name', 'asc', order), order)
    })

    test('no other list is', () => {
      const lists = shop.operations.flatMap(({ route }) => {
        const { path, resource, sortFields = [] } = route
        if (resource.kind !== 'collection') return []
        const fields = resource.item.schema.properties as Readonly<Record<string, TextSchema>>
        const isSort = (name: string) => isFreeText(fields[name] ?? {})
        return sortFields.filter(isSort).map((name) => `${path} ${name}`)
      })
      const others = ['/orders/:orderId/items name', '/products/:productId/variants name']
      assert.deepEqual(lists.toSorted(), [...Object.keys(textSorts), ...others].toSorted())
    })
  })
})
