import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'

const xml = 'application/xml'
const rss = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>${items}</channel></rss>`

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  test('items of RSS become products and variants', async () => {
    const item = (fields: string) => `<item>${fields}</item>`
    const { operation, errors } = await shop.importFile(
      'products',
      rss(
        item(
          '<title>Red tee &amp; more</title><g:id>X-S</g:id><g:price>20.00 USD</g:price><g:availability>in_stock</g:availability><g:item_group_id>X-TEE</g:item_group_id><g:size>S</g:size><g:shipping><g:price>4.00 USD</g:price></g:shipping>',
        ) +
          item('<g:id>X-CUP</g:id><g:title><![CDATA[Cup <1>]]></g:title><g:price>nine</g:price>') +
          item(
            '<id>other</id><g:id>X-POT</g:id><title>Pot</title><g:price>USD 9</g:price><g:sale_price>7 USD</g:sale_price>',
          ),
      ),
      xml,
    )
    assert.deepEqual(errors, [[3, 'price', '4221']])
    assert.partialDeepStrictEqual(operation.result, {
      created: 3,
      detected: { format: 'google', separator: null },
    })
    assert.partialDeepStrictEqual(await shop.productOf('X-S'), {
      ...{ name: 'Red tee & more', price: 20, options: { size: 'S' } },
    })
    assert.partialDeepStrictEqual(await shop.productOf('X-POT'), { price: 7, compare_at_price: 9 })
  })

  test('entries of Atom are read', async () => {
    const { operation } = await shop.importFile(
      'products&format=google',
      '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><entry><id>tag:1</id><g:id>ATOM</g:id><title>Pan</title><summary>Iron.</summary><link href="https://shop.example/p"/><g:price>3 USD</g:price></entry></feed>',
      xml,
    )
    assert.partialDeepStrictEqual(operation.result, { created: 1 })
    assert.partialDeepStrictEqual(await shop.productOf('ATOM'), {
      name: 'Pan',
      description: 'Iron.',
    })
  })

  test('the feed of the shop creates nothing', async () => {
    const { text } = await shop.shop.request('GET', '/feeds/google-merchant')
    const { operation, errors } = await shop.importFile('products', text, xml)
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(operation.result, { created: 0, detected: { format: 'google' } })
  })

  test('other documents, entities and deep ones are refused', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    const item = '<item><g:id>Y</g:id></item>'
    for (const file of [
      '<a/>',
      'sku,name\n',
      bomb + rss(item).replace('<?xml version="1.0"?>', ''),
      rss('<item><g:id>&unknown;</g:id></item>'),
      rss(`<item>${'<a>'.repeat(40)}${'</a>'.repeat(40)}</item>`),
      rss(`<item><g:id>Y</g:id><g:title>${'x'.repeat(600_000)}</g:title></item>`),
      rss(item).slice(0, -20),
    ]) {
      const { status, json } = await shop.send('products', file, xml)
      assert.equal(status, 422, file.slice(0, 100))
      assert.match(JSON.stringify(json), /feed/)
    }
    assert.equal((await shop.send('users', rss(item), xml)).status, 422)
  })
})
