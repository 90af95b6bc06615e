import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

/** Names of products, and searches that find each of them, whatever the other one of a pair is. */
const cases: readonly (readonly [names: string, ...searches: string[]])[] = [
  ['コーヒー豆|コップ用ヒーター', 'コーヒー', 'ｺｰﾋｰ', 'こーひー'],
  ['コーラ|コラーゲン', 'コーラ'],
  ['らーめんどんぶり|らめ', 'らーめん'],
  ['スーパーボール|パースペクティブ画集 スボン', 'スーパー'],
  ['紅茶 茶壺|茶', '紅茶茶壺', '紅茶　茶壺'],
  ['에어컨 필터|에어', '에어컨필터', '에어컨 필터'],
  ['Wi-Fi Router|Wif', 'wifi', 'wi fi', 'wi-fi', 'WiFi router'],
  ['Sony WH-1000XM4|WH', 'wh1000xm4', 'wh-1000xm4', 'wh 1000 xm4', '1000xm4'],
  ['Pan 28 cm|Pan', '28cm pan', '28 cm', '28-cm'],
  ['iPhone 15 Pro|iPhone', 'iphone15', 'iphone-15', '15pro'],
  ['Dr.Martens Boot|Martina', 'drmartens', 'dr martens', 'dr. martens'],
  ['U.S.A. Flag|Usable', 'usa', 'u.s.a.', 'USA flag'],
  ['Kettle, 0.9 L|Kettle', '0.9l kettle', '0.9 l', 'kettle 0.9'],
  ['T-Shirt Basic|Shirt', 'tshirt', 't-shirts', 't shirt'],
  ['E-Book Reader|Book', 'ebook', 'e-books', 'e book'],
  ['كِتَاب|كتابة', 'كتاب', 'كـتاب'],
  ['سكـين|سكر', 'سكين'],
  ['סֵפֶר|ספרד', 'ספר'],
  ['Fußball|Fussballschuh', 'fussball', 'FUSSBALL', 'fußball'],
  ['Łata|Latarka', 'lata', 'łata'],
  ['Ærø Lampe|Aeropress', 'aero', 'ærø'],
  ['Đầm lụa|Damask', 'dam lua', 'đầm lụa'],
  ['Kılıç|Kilim', 'kilic', 'KILIÇ'],
  ['Þórður|Thor', 'thordur'],
  ['Müllersche Mühle|Mull', 'muhle', 'mühle', 'muehle', 'MUEHLE'],
  ['Bread Knife|Knight', 'bread knives', 'knife for bread', 'the knife'],
  ['Storage Box|Boxing', 'boxes', 'storage boxes'],
  ['Kitchen Shelf|Shell', 'shelves', 'kitchen shelves'],
  ['Weinglas|Glasur', 'weingläser', 'Weingläser für den'],
  ['Manteau rouge|Manta', 'manteaux rouges', 'le manteau', "l'manteau"],
  ['Lámpara azul|Lampe', 'lamparas', 'lámparas azules', 'la lámpara'],
]

eachDatabase((kind) => {
  describe('a search of products', () => {
    let shop: TestApp
    let admin: TestCaller
    const ids = new Map<string, number>()
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      for (const [names] of cases) {
        for (const name of names.split('|')) ids.set(name, await add({ name }))
      }
    })
    after(() => shop.dispose())

    const add = async (fields: object): Promise<number> => {
      const { status, json, text } = await admin.request('POST', '/products', {
        price: 1,
        ...fields,
      })
      assert.equal(status, 201, text)
      return json.id as number
    }
    const list = async (query: Readonly<Record<string, string>>) => {
      const { status, json, text } = await shop.request(
        'GET',
        `/products?${new URLSearchParams(query)}`,
      )
      assert.equal(status, 200, text)
      return json
    }
    const namesOf = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      (await list(query)).data.map(({ name }: { readonly name: string }) => name)

    for (const [names, ...searches] of cases) {
      const [name = ''] = names.split('|')
      for (const q of searches) {
        test(`${q} finds ${name}`, async () => assert.ok((await namesOf({ q })).includes(name)))
      }
    }

    test('finds a SKU, a part of it, and a variant by its own and its parent', async () => {
      const parent = await add({ name: 'Teapot', sku: 'TP-100-B' })
      await add({
        name: 'Teapot red',
        sku: 'TPR/7',
        variant_of: parent,
        options: { colour: 'Crème' },
      })
      for (const q of ['TP-100-B', 'tp100b', 'tp 100', '100-b', 'TPR/7', 'tpr7', 'creme']) {
        assert.deepEqual(await namesOf({ q }), ['Teapot'], q)
      }
      assert.deepEqual(await namesOf({ q: 'tpr7', variants: 'all' }), ['Teapot', 'Teapot red'])
      await admin.request('PATCH', `/products/${parent}`, { sku: 'OTHER' })
      assert.deepEqual(await namesOf({ q: 'TP-100-B' }), [])
    })

    test('finds symbols where there is nothing else, nothing without anything, and all for blanks', async () => {
      await add({ name: 'Cup ☕️' })
      assert.deepEqual(await namesOf({ q: '☕' }), ['Cup ☕️'])
      for (const q of ['☂', '?!', '…', '"']) assert.deepEqual(await namesOf({ q }), [], q)
      const facets = await list({ q: '?!', facets: 'availability' })
      assert.deepEqual(facets.facets, { availability: [] })
      const all = (await list({})).pagination.total_items
      for (const q of ['', ' ', '\u3000\u200b']) {
        assert.equal((await list({ q })).pagination.total_items, all)
      }
    })

    test('rejects a text that cannot be stored', async () => {
      const { status, json } = await shop.request('GET', '/products?q=%00')
      assert.deepEqual([status, json.error_code], [400, '4003'])
    })

    test('corrects only what no product has, and tries every correction together', async () => {
      await add({ name: 'Saucepan bronze' })
      await add({ name: 'Saucer brass' })
      await add({ name: 'Sauceran linen' })
      assert.deepEqual(await namesOf({ q: 'bronse saucepam' }), ['Saucepan bronze'])
      // "saucepann" may be two words; only one of them is of linen.
      assert.deepEqual(await namesOf({ q: 'saucedan linen' }), ['Sauceran linen'])
      assert.deepEqual(await namesOf({ q: 'saucepan brass' }), [])
    })

    describe('by relevance', () => {
      const products = [
        { name: 'Oakum', description: 'first' },
        { name: 'Chair', description: 'Made of oak.' },
        { name: 'Stool', category: 'oak' },
        { name: 'Bench', sku: 'OAKLEY-1' },
        { name: 'Oak table' },
        { name: 'Desk', description: 'An oakley top.' },
        { name: 'Oak chest' },
      ]
      const expected = ['Oak table', 'Oak chest', 'Oakum', 'Stool', 'Bench', 'Chair', 'Desk']
      before(async () => {
        for (const product of products) await add(product)
      })

      test('names come before other fields, and whole words before beginnings', async () => {
        assert.deepEqual(await namesOf({ q: 'oak' }), expected)
        assert.deepEqual(await namesOf({ q: 'oak', sort: 'relevance' }), expected)
        assert.deepEqual(await namesOf({ q: 'oaks', sort: 'id' }), [
          'Chair',
          'Stool',
          'Oak table',
          'Oak chest',
        ])
      })

      test('has pages in both orders, by number and by cursor, also with filters', async () => {
        const cheap = { price_max: '1' }
        for (const [filters, order] of [
          [{}, 'asc'],
          [{}, 'desc'],
          [cheap, 'asc'],
          [cheap, 'desc'],
        ] as const) {
          const query = { q: 'oak', order, limit: '3', ...filters }
          const all = await namesOf({ ...query, limit: '100' })
          const inOrder = order === 'asc' ? expected : expected.toReversed()
          assert.equal(all.length, 7)
          if (order === 'asc') assert.deepEqual(all, inOrder)
          const pages = await Promise.all(
            ['1', '2', '3', '4'].map((page) => namesOf({ ...query, page })),
          )
          assert.deepEqual(pages, [all.slice(0, 3), all.slice(3, 6), all.slice(6), []])
          const byCursor: string[][] = []
          let page = await list(query)
          while (page.pagination.next_cursor !== null) {
            page = await list({ ...query, cursor: page.pagination.next_cursor })
            assert.equal(page.pagination.total_items, 7)
            byCursor.push(page.data.map(({ name }: { readonly name: string }) => name))
          }
          assert.deepEqual(byCursor, pages.slice(1, 3))
        }
      })

      test('is the order of IDs without a search', async () => {
        const page = await list({ sort: 'relevance', limit: '2' })
        const next = await list({
          sort: 'relevance',
          limit: '2',
          cursor: page.pagination.next_cursor,
        })
        const listed = [...page.data, ...next.data].map(({ id }) => id)
        assert.deepEqual(
          listed,
          listed.toSorted((one, other) => one - other),
        )
      })
    })
  })
})
