import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createRandom, entryAt } from '#src/demo/random.ts'
import { eachDatabase, type TestApp } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

type Row = Readonly<Record<string, unknown>> & { readonly sku: string }

const ndjsonOf = (rows: readonly Row[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

const random = createRandom(20_261)
const pick = <T>(values: readonly T[]): T => entryAt(values, random())
const sizes = ['S', 'M', 'L', 'XL', 's', 'Größe 3']
const colors = ['red', 'Blue', '青']

const optionsOf = () => {
  if (random() < 0.05) return { Weight: '1' }
  const [size, color] = [pick(sizes), pick(colors)]
  return random() < 0.5 ? { Size: size, color } : { COLOR: color, size }
}

const fieldsOf = () => ({
  price: random() < 0.03 ? -1 : Math.round(random() * 5000) / 100,
  stock: pick([null, 0, 1, 7]),
  status: pick(['active', 'active', 'active', 'draft', 'archived']),
  tags: pick([[], ['new'], ['new', 'Sale']]),
  attributes: pick([null, { fit: 'slim' }, { fit: 'Slim', wool: true }]),
})

/** New parents, each before its variants, among which are some that cannot be. */
function newRows(): readonly Row[] {
  const rows: Row[] = []
  for (let parent = 0; parent < 12; parent += 1) {
    rows.push({ sku: `P${parent}`, name: `Parent ${parent}`, ...fieldsOf() })
  }
  for (let at = 0; at < 90; at += 1) {
    const parent = random() < 0.05 ? pick(['none', 'V0', 'V1']) : `P${Math.floor(random() * 10)}`
    const variant = { variant_of_sku: parent, options: optionsOf() }
    rows.push({ sku: `V${at}`, name: `Variant ${at}`, ...fieldsOf(), ...variant })
  }
  return rows
}

/** Changes of products that may be there. */
function changedRows(withMoves: boolean): readonly Row[] {
  const skus = [
    ...Array.from({ length: 12 }, (_, at) => `P${at}`),
    ...Array.from({ length: 90 }, (_, at) => `V${at}`),
  ]
  return skus
    .map((sku) => ({ sku, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ sku }) => {
      const some = Object.entries(fieldsOf()).filter(() => random() < 0.3)
      const isVariant = sku.startsWith('V')
      const move = withMoves && isVariant && random() < 0.15
      return {
        sku,
        ...Object.fromEntries(some),
        ...(isVariant && random() < 0.2 ? { options: optionsOf() } : {}),
        ...(move ? { variant_of_sku: `P${Math.floor(random() * 12)}` } : {}),
      }
    })
}

/** An import has an error for each field, and the API one for all. */
const kindOf = (code: string): string => (code === '4001' ? '4221' : code)

const unordered = ['id', 'variant_of', 'revision', 'created_at', 'updated_at']

/** What is stored of all products, with SKUs in place of IDs. */
async function readStored({ db }: Pick<TestApp, 'db'>, ignored: readonly string[]) {
  const rows = await db.selectFrom('products').selectAll().orderBy('sku').execute()
  const skuOf = new Map(rows.map(({ id, sku }) => [id, sku]))
  const byText = (values: readonly object[]) => values.map((each) => JSON.stringify(each)).sort()
  const options = await db.selectFrom('product_options').selectAll().execute()
  const attributes = await db.selectFrom('product_attributes').selectAll().execute()
  const prices = await db.selectFrom('product_prices').selectAll().execute()
  return {
    products: rows.map((row) => ({
      ...Object.fromEntries(Object.entries(row).filter(([name]) => !ignored.includes(name))),
      parent: skuOf.get(row.variant_of ?? 0),
    })),
    options: byText(options.map((row) => ({ ...row, product_id: skuOf.get(row.product_id) }))),
    attributes: byText(
      attributes.map((row) => ({ ...row, product_id: skuOf.get(row.product_id) })),
    ),
    prices: byText(
      prices.map(({ product_id, price }) => ({ product_id: skuOf.get(product_id), price })),
    ),
  }
}

eachDatabase((kind) => {
  describe('rows of parents and variants', () => {
    let together: ImportingShop
    let alone: ImportingShop
    before(async () => {
      together = await startImportingShop(kind)
      alone = await startImportingShop(kind)
    })
    after(async () => {
      for (const { shop, dispose } of [together, alone]) {
        await reconcile(shop.db)
        await dispose()
      }
    })

    const idOf = async (sku: string) => (await alone.productOf(sku))?.id

    /** Saves rows one by one through the API; returns the lines of those that it rejects, with the codes. */
    async function saveAlone(rows: readonly Row[]) {
      const errors: unknown[] = []
      for (const [at, { variant_of_sku: parent, ...row }] of rows.entries()) {
        const id = await idOf(row.sku)
        const variant_of =
          parent === undefined ? {} : { variant_of: (await idOf(String(parent))) ?? 99_999 }
        const given = Object.entries({ ...row, ...variant_of })
        const body = Object.fromEntries(id ? given : given.filter(([, value]) => value !== null))
        const { status, json } = id
          ? await alone.admin.request('PATCH', `/products/${id}`, body)
          : await alone.admin.request('POST', '/products', body)
        if (status >= 400) errors.push([at + 1, kindOf(json.error_code)])
      }
      return errors
    }

    const importTogether = async (rows: readonly Row[]) => {
      const { errors } = await together.importFile(
        'products',
        ndjsonOf(rows),
        'application/x-ndjson',
      )
      const byLine = new Map(
        errors.map(([line, , code]: unknown[]) => [line, [line, kindOf(String(code))]]),
      )
      return [...byLine.values()]
    }

    for (const round of ['new', 'changed', 'changed and moved'] as const) {
      test(`${round}, are stored as one after the other`, async () => {
        const rows = round === 'new' ? newRows() : changedRows(round === 'changed and moved')
        assert.deepEqual(await importTogether(rows), await saveAlone(rows))
        // A value that one variant gives up and another one takes keeps its place in the list.
        const ignored = round === 'new' ? unordered : [...unordered, 'option_list']
        const stored = await readStored(together.shop, ignored)
        assert.deepEqual(stored, await readStored(alone.shop, ignored))
        assert.ok(stored.products.length > 60)
      })
    }
  })
})
