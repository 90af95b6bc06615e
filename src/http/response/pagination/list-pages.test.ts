import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

const linkOf = (link: string | undefined, relation: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link ?? '')?.[1]

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
    await sql`insert into audit_events (action, at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10001)
      select 'signed_out', ${shop.now} from numbers`.execute(shop.db)
  })
  after(() => shop.dispose())

  const path = '/audit-events?action=signed_out'
  const read = (url: string) => admin.request('GET', url)

  test('the total of a list is exact up to 10,000, then capped, without a link to the last page', async () => {
    const first = await read(path)
    const { total_items, total_items_capped, total_pages } = first.json.pagination
    assert.deepEqual([total_items, total_items_capped, total_pages], [10_000, true, 500])
    assert.equal(linkOf(first.headers['link'], 'last'), undefined)
    const last = await read(`${path}&page=501`)
    assert.equal(last.json.data.length, 1)
    assert.match(linkOf(last.headers['link'], 'prev') ?? '', /page=500\b/)
    assert.equal(linkOf(last.headers['link'], 'next'), undefined)

    const { text } = await admin.request('GET', path, undefined, { accept: 'application/xml' })
    assert.match(text, /<total_items_capped>true<\/total_items_capped>/)

    await sql`delete from audit_events where id =
      (select max(id) from audit_events where action = 'signed_out')`.execute(shop.db)
    const { json, headers } = await read(path)
    assert.equal(json.pagination.total_items, 10_000)
    assert.equal(json.pagination.total_items_capped, undefined)
    assert.match(linkOf(headers['link'], 'last') ?? '', /page=500\b/)
  })

  test('beyond 100,000 rows a page is refused, naming the cursor, which leads there', async () => {
    for (const query of ['page=1001&limit=100', 'page=5001', 'page=1000000000&limit=1']) {
      const { status, json } = await read(`${path}&${query}`)
      assert.equal(status, 400, query)
      assert.equal(json.error_code, '4003')
      assert.deepEqual(json.errors[0].field, 'page')
      assert.match(json.suggestion, /\bcursor\b/)
    }
    assert.equal((await read(`${path}&page=1000&limit=100`)).status, 200)
    assert.equal((await read(`${path}&page=5000`)).status, 200)

    const deepest = { page: 1000, limit: 100 }
    const cursor = Buffer.from(JSON.stringify(['id', 'asc', deepest.page, 1, 1])).toString(
      'base64url',
    )
    const { json, headers } = await read(`${path}&limit=100&cursor=${cursor}`)
    assert.equal(json.pagination.current_page, deepest.page)
    assert.match(linkOf(headers['link'], 'next') ?? '', /cursor=/)
  })
})
