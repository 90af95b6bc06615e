import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

const password = 'correct horse battery staple'
const people = [
  { name: 'Ada Lovelace', username: 'ada', email: 'countess@example.com' },
  { name: 'José Müller', email: 'jose.mueller@Beispiel.de' },
  { name: "Siobhán O'Neill", username: 'sioux' },
  { name: '王小明', username: 'wang' },
  { name: 'Adam Smith', username: 'smith_adam' },
] as const

eachDatabase((kind) => {
  describe('a search of users', () => {
    let shop: TestApp
    let admin: TestCaller
    const ids = new Map<string, number>()
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      for (const person of people) {
        const { json, text } = await admin.request('POST', '/users', { ...person, password })
        assert.ok(json.id, text)
        ids.set(person.name, json.id)
      }
    })
    after(() => shop.dispose())

    const find = async (q: string, more = '') => {
      const url = `/users?q=${encodeURIComponent(q)}${more}`
      const { status, json, text } = await admin.request('GET', url)
      assert.equal(status, 200, text)
      assert.equal(json.pagination.total_items, json.data.length)
      return json.data.map(({ name }: { readonly name: string }) => name)
    }

    const searches: readonly (readonly [string, ...string[]])[] = [
      ['ada', 'Ada Lovelace', 'Adam Smith'],
      ['love AD', 'Ada Lovelace'],
      ['lace'],
      ['countess@ex', 'Ada Lovelace'],
      ['jose', 'José Müller'],
      ['MULLER', 'José Müller'],
      ['müller', 'José Müller'],
      ['mueller@', 'José Müller'],
      ['beispiel', 'José Müller'],
      ["o'neill", "Siobhán O'Neill"],
      ['neill siobhan', "Siobhán O'Neill"],
      ['sioux', "Siobhán O'Neill"],
      ['王', '王小明'],
      ['smith_a', 'Adam Smith'],
      ['"(ada)"', 'Ada Lovelace', 'Adam Smith'],
      ['?!'],
      ['a%a'],
      [`${'x'.repeat(500)} ada`],
    ]
    for (const [q, ...names] of searches) {
      test(`by ${q.slice(0, 20)} finds ${names.join(', ') || 'nobody'}`, async () => {
        assert.deepEqual(await find(q), names)
      })
    }

    test('is sorted, filtered and paged as any list, and absent if blank', async () => {
      assert.deepEqual(await find('ada', '&sort=name&order=desc'), ['Adam Smith', 'Ada Lovelace'])
      assert.deepEqual(await find('ada', '&role=admin'), [])
      const { json } = await admin.request('GET', '/users?q=ada&limit=1&page=2')
      assert.deepEqual([json.data[0].name, json.pagination.total_items], ['Adam Smith', 2])
      const all = (await admin.request('GET', '/users')).json.pagination.total_items
      const blank = (await admin.request('GET', '/users?q=%20')).json.pagination.total_items
      assert.equal(blank, all)
    })

    test('is for administrators', async () => {
      const customer = await shop.signInAs('customer')
      const { json } = await customer.request('GET', '/users?q=ada')
      assert.equal(json.error_code, '4031')
    })

    test('follows changes, finds guests, and forgets who is erased', async () => {
      const smith = ids.get('Adam Smith')
      await admin.request('PATCH', `/users/${smith}`, { name: 'Eve Smith' })
      assert.deepEqual([await find('eve'), await find('adam')], [['Eve Smith'], ['Eve Smith']])
      const guest = await shop.request('POST', '/guests', {
        name: 'Zoë Guest',
        email: 'zoe@example.com',
      })
      assert.equal(guest.status, 201, guest.text)
      assert.deepEqual(await find('zoe'), ['Zoë Guest'])
      const { status, text } = await admin.request('DELETE', `/users/${smith}`)
      assert.ok(status < 300, text)
      assert.deepEqual([await find('eve'), await find('deleted')], [[], []])
      const rows = shop.db.selectFrom('user_words').selectAll().where('user_id', '=', Number(smith))
      assert.deepEqual(await rows.execute(), [])
    })
  })
})
