import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase, startTestApp } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { currencyDigits } from '#values/money.ts'

const maxMajor = 10 ** 12

/** The amounts with the most digits, in minor units. */
const largestOf = (digits: number): readonly number[] =>
  [0, -1, -7].map((less) => maxMajor * 10 ** digits + less)

eachDatabase((kind) => {
  for (const currency of ['JPY', 'HUF', 'EUR', 'KWD']) {
    test(`the largest amounts in ${currency} stay exact in every format`, async (t) => {
      const digits = currencyDigits(currency)
      const shop = await startTestApp(kind, { shop: { currency, currencyDigits: digits } })
      t.after(() => shop.dispose())
      const admin = await shop.signInAs('admin')
      const authorization = `Bearer ${admin.token}`
      const ask = async (method: 'GET' | 'POST', url: string, payload: string, more: object) => {
        const headers = { authorization, ...more }
        const found = await shop.app.inject({ method, url, headers, ...(payload && { payload }) })
        assert.ok(found.statusCode < 300, found.payload)
        return found.payload
      }
      const importFile = async (type: string, payload: string) => {
        await ask('POST', '/imports?resource=products', payload, { 'content-type': type })
        await runWaitingImports(shop)
        return (await admin.request('GET', '/operations?sort=id&order=desc')).json.data[0].result
      }
      const minor = async () => {
        const rows = await shop.db.selectFrom('products').select('price').orderBy('id').execute()
        return rows.map(({ price }) => price)
      }
      const amounts = largestOf(digits)
      const texts = amounts.map((amount) => {
        const text = String(amount).padStart(digits + 1, '0')
        return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
      })
      const lines = texts.map((text, at) => `A-${at},Palace,${text}`)
      const created = await importFile('text/csv', `sku,name,price\n${lines.join('\n')}\n`)
      assert.partialDeepStrictEqual(created, { created: 3, updated: 0, unchanged: 0 })
      assert.deepEqual(await minor(), amounts)
      for (const version of [1, 2]) {
        const list = `/v${version}/products?sort=id`
        for (const type of ['text/csv', 'application/x-ndjson']) {
          const file = await ask('GET', list, '', { accept: type })
          for (const text of texts)
            assert.ok(file.includes(version === 1 ? String(Number(text)) : text))
          const { unchanged } = await importFile(type, file)
          assert.equal(unchanged, 3, `${type} of version ${version}\n${file}`)
        }
        for (const [at, text] of texts.entries()) {
          const product = `/v${version}/products/${at + 1}`
          const xml = await ask('GET', product, '', { accept: 'application/xml' })
          const json = await ask('GET', product, '', {})
          const isExact = (document: string) =>
            document.includes(version === 1 ? String(Number(text)) : text)
          assert.ok(isExact(xml) && isExact(json), xml)
          for (const [type, payload] of [
            ['application/xml', xml],
            ['application/json', json],
          ] as const) {
            const headers = { authorization, 'content-type': type }
            const put = await shop.app.inject({ method: 'PUT', url: product, headers, payload })
            assert.equal(put.statusCode, 200, put.payload)
          }
        }
        assert.deepEqual(await minor(), amounts)
      }
      const next = `sku,name,price\nB,Palace,${maxMajor + 1}\n`
      await importFile('text/csv', next)
      assert.deepEqual(await minor(), amounts, 'a larger amount is an error')
    })
  }
})
