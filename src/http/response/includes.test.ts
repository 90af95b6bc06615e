import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase, startTestApp } from '#test/support/app.ts'
import { insertOrder, insertProduct } from '#test/support/rows.ts'

const linesPerOrder = 200

eachDatabase((kind) => {
  test('a response embeds at most 5,000 rows, and an export all of them', async (t) => {
    const shop = await startTestApp(kind)
    t.after(() => shop.dispose())
    const { id, request } = await shop.signInAs('customer')
    const lines = Array(linesPerOrder).fill(await insertProduct(shop.db))
    for (let count = 0; count < 26; count += 1) await insertOrder(shop.db, id, lines)
    const path = `/users/${id}/orders?include=items`
    const most = await request('GET', `${path}&limit=25`)
    assert.equal(most.status, 200)
    assert.equal(most.json.data.flatMap(({ items }: { items: [] }) => items).length, 5000)
    const rejected = await request('GET', `${path}&limit=26`)
    assert.deepEqual(
      [rejected.status, rejected.json.error_code, rejected.json.errors[0].field],
      [400, '4003', 'limit'],
    )
    const exported = await request('GET', path, undefined, { accept: 'application/x-ndjson' })
    assert.equal(exported.status, 200)
    assert.equal(exported.text.split('\n').length, 27)
    assert.equal(exported.text.split('"product_id"').length - 1, 26 * linesPerOrder)
  })
})
