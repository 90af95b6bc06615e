import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  /** Imports a file twice, and returns what the first time led to; the second one must change nothing. */
  const importTwice = async (format: string, lines: readonly string[]) => {
    const text = lines.join('\r\n')
    const first = await shop.importFile('products', text)
    assert.equal(first.operation.result.detected.format, format)
    const { operation } = await shop.importFile('products', text)
    const { created } = first.operation.result
    assert.partialDeepStrictEqual(operation.result, { created: 0, updated: 0, unchanged: created })
    // No image can be fetched here.
    const errors = first.errors.filter(([, field]: readonly unknown[]) => field !== 'image_urls')
    return { ...first, errors }
  }
  const pathOf = async (name: string) =>
    (await shop.read('/categories?limit=100')).data.find(
      (category: { name: string }) => category.name === name,
    )?.path
  const warnedFields = ({ result }: { result: { warnings: { row: number; field: string }[] } }) =>
    result.warnings.map(({ row, field }) => [row, field])

  test('WooCommerce: variations before and after their product, by its ID and its SKU', async () => {
    const { operation, errors } = await importTwice('woocommerce', [
      'ID;Type;SKU;Name;Published;Description;Tax class;In stock?;Stock;Weight (kg);Sale price;Regular price;Date sale price ends;Categories;Tags;Images;Parent;Attribute 1 name;Attribute 1 value(s);Attribute 2 name;Attribute 2 value(s);Attribute 11 name;Attribute 11 value(s)',
      '11;variation;;Woo tee - S;1;;reduced;1;3;0,15;;21,50;;;;;id:10;Size;S;Colour;Red;;',
      '10;variable;WOO-TEE;Woo tee;1;<p>Soft <b>cotton</b>.</p>;;1;;;;;;Clothing > Shirts, Sale > Summer;"new, cotton";https://pictures.example/tee.jpg, https://pictures.example/back.jpg;;Size;S, M;Colour;Red;Material;Wool, Cotton\\, organic',
      '12;variation;WOO-TEE-M;Woo tee - M;1;;;0;;0,16;18,00;20,00;;;;;WOO-TEE;Size;M;Colour;Red;;',
      '13;simple, virtual;;Woo guide;-1;;;1;;;4,00;5,00;2030-01-01;Books;;;;Pages;12;;;;',
    ])
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(operation.result, {
      ...{ created: 4, made_skus: 2, detected: { separator: ';', decimal: ',' } },
    })
    assert.deepEqual(warnedFields(operation), [[5, 'price']])
    const tee = await shop.productOf('WOO-TEE')
    assert.deepEqual(tee.attributes, { Material: ['Wool', 'Cotton, organic'] })
    assert.deepEqual(await pathOf('Shirts'), ['Clothing', 'Shirts'])
    assert.partialDeepStrictEqual(tee, {
      ...{ name: 'Woo tee', category: 'Shirts', tags: ['Summer', 'new', 'cotton'], price: 18 },
      ...{ description: 'Soft cotton.', image_url: 'https://pictures.example/tee.jpg' },
    })
    assert.partialDeepStrictEqual(await shop.productOf('WOO-TEE-S-Red'), {
      ...{ name: 'Woo tee', category: 'Shirts', variant_of: tee.id, price: 21.5, stock: 3 },
      ...{ weight_grams: 150, tax_class: 'reduced' },
    })
    assert.partialDeepStrictEqual(await shop.productOf('WOO-TEE-M'), {
      ...{ variant_of: tee.id, price: 18, compare_at_price: 20, on_sale: true },
      ...{ stock: null, availability: 'out_of_stock' },
    })
    assert.partialDeepStrictEqual(await shop.productOf('woo-guide'), {
      ...{ price: 5, requires_shipping: false, category: 'Books', attributes: { Pages: '12' } },
      status: 'draft',
    })
  })

  test('Magento: a product with options names its variants', async () => {
    const { operation, errors } = await importTwice('magento', [
      'sku,store_view_code,attribute_set_code,product_type,categories,name,description,weight,visibility,price,special_price,special_price_from_date,special_price_to_date,url_key,qty,is_in_stock,manage_stock,additional_attributes,configurable_variations',
      'MAG-S,,Default,simple,,Mag tee-S,,0.150000,Not Visible Individually,20.000000,,,,mag-tee-s,4.0000,1,1,"size=S,fit=Slim",',
      'MAG-M,,Default,simple,,Mag tee-M,,0.16,Not Visible Individually,21.0000,18.5,,,mag-tee-m,9.0000,0,1,,',
      'MAG-TEE,,Default,configurable,"Default Category/Women/Tops,Default Category/Eco",Mag tee,<p>Linen</p>,,"Catalog, Search",,,,,mag-tee,0.0000,1,1,"brand=Larkpost,pattern=Plain, soft,climate=Indoor|Warm","sku=MAG-S,size=S,color=Blue|sku=MAG-M,size=M,color=Blue"',
      'MAG-TEE,french,Default,configurable,,T-shirt,,,,,,,,,,,,,',
      'MAG-CUP,,Default,simple,Default Category/Cups,Cup,,,"Catalog, Search",7.5,,,,mag-cup,0,1,0,,',
    ])
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(operation.result, { created: 4, made_skus: 0 })
    const tee = await shop.productOf('MAG-TEE')
    assert.partialDeepStrictEqual(tee, {
      ...{ name: 'Mag tee', category: 'Tops', tags: ['Eco'], brand: 'Larkpost', price: 18.5 },
      ...{ handle: 'mag-tee', description: 'Linen' },
      attributes: { pattern: 'Plain, soft', climate: ['Indoor', 'Warm'] },
    })
    assert.partialDeepStrictEqual(await shop.productOf('MAG-S'), {
      ...{ name: 'Mag tee', variant_of: tee.id, price: 20, stock: 4, weight_grams: 150 },
      attributes: { fit: 'Slim' },
    })
    assert.deepEqual(await pathOf('Tops'), ['Women', 'Tops'])
    assert.partialDeepStrictEqual(await shop.productOf('MAG-M'), {
      ...{ price: 18.5, compare_at_price: 21, stock: 0, availability: 'out_of_stock' },
    })
    assert.partialDeepStrictEqual(await shop.productOf('MAG-CUP'), { stock: null, price: 7.5 })
  })

  test('PrestaShop: prices without tax, of six decimals', async () => {
    const { operation, errors } = await importTwice('prestashop', [
      'Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded;Wholesale price;Reference #;Manufacturer;EAN13;Weight;Quantity;Description;Tags (x,y,z...);URL rewritten;Virtual product;Feature(Name:Value:Position)',
      '1;1;Presta mug;Home,Home/Cups;8.325000;3.1;PS-MUG;Larkpost;4006381333931;0.4;12;<p>Blue</p>;cup,blue;Presta_Mug;0;"Height:8 cm:1,Material:Stone:2:0,Material:Cork"',
      '2;1;Presta guide;Books;5;;;;123;;;;;presta-guide;1;',
    ])
    assert.deepEqual(errors, [])
    assert.equal(operation.result.made_skus, 1)
    assert.deepEqual(warnedFields(operation), [
      [1, 'Price tax excluded'],
      [2, 'price'],
      [3, 'gtin'],
    ])
    assert.partialDeepStrictEqual(await shop.productOf('PS-MUG'), {
      ...{ price: 8.33, category: 'Home', tags: ['Cups', 'cup', 'blue'], stock: 12 },
      ...{ weight_grams: 400, cost_price: 3.1, handle: 'presta-mug', description: 'Blue' },
      attributes: { Height: '8 cm', Material: ['Stone', 'Cork'] },
    })
    assert.partialDeepStrictEqual(await shop.productOf('presta-guide'), {
      ...{ requires_shipping: false, gtin: null, stock: null },
    })
  })

  test('Etsy: the variations of a listing are in its record', async () => {
    const { operation, errors } = await importTwice('etsy', [
      'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,VARIATION 1 TYPE,VARIATION 1 NAME,VARIATION 1 VALUES,VARIATION 2 TYPE,VARIATION 2 NAME,VARIATION 2 VALUES,SKU',
      'Etsy ring,Silver ring,30.00,USD,6,"ring,silver","silver,glass",https://pictures.example/ring.jpg,,Ring size,Ring size,"6,7",Colour,Colour,"Silver,Gold",',
      'Etsy pin,A pin,4.00,USD,9,,,,,,,,,,,PIN-1',
      'Etsy foreign,A pin,4.00,EUR,9,,,,,,,,,,,PIN-2',
    ])
    assert.deepEqual(errors, [[4, 'currency', '4221']])
    assert.partialDeepStrictEqual(operation.result, { created: 6, made_skus: 5 })
    const ring = await shop.productOf('etsy-ring')
    const attributes = { materials: ['silver', 'glass'] }
    assert.partialDeepStrictEqual(ring, { price: 30, tags: ['ring', 'silver'], attributes })
    assert.partialDeepStrictEqual(await shop.productOf('etsy-ring-7-Gold'), {
      ...{ variant_of: ring.id, options: { 'Ring size': '7', Colour: 'Gold' }, price: 30 },
    })
    assert.partialDeepStrictEqual(await shop.productOf('PIN-1'), { stock: 9, price: 4 })
  })

  test('Google: items of a group are variants of one product', async () => {
    const { operation, errors } = await importTwice('google', [
      'id\ttitle\tdescription\tlink\timage_link\tavailability\tprice\tsale_price\tbrand\tgtin\titem_group_id\tcolor\tsize\tproduct_type\tshipping_weight\tage_group',
      'G-S\tGoogle tee\tSoft\thttps://shop.example/g\thttps://pictures.example/g.jpg\tin_stock\t20.00 USD\t15.00 USD\tLarkpost\t4006381333948\tG-TEE\tRed\tS\tClothing > Shirts\t0.2 kg\tadult',
      'G-M\tGoogle tee\tSoft\thttps://shop.example/g\thttps://pictures.example/g.jpg\tout of stock\tUSD 21.00\t\tLarkpost\t\tG-TEE\tRed\tM\tClothing > Shirts\t200 g\t',
      'G-CUP\tGoogle cup\tBlue\thttps://shop.example/c\t\tpreorder\t9 EUR\t\t\t\t\t\t\t\t\t',
      'G-MUG\tGoogle mug\tBlue\thttps://shop.example/c\t\tpreorder\t9 USD\t\t\t\t\tBlue\t\tClothing > Cups\t\t',
    ])
    assert.deepEqual(errors, [[4, 'currency', '4221']])
    assert.partialDeepStrictEqual(operation.result, { created: 4, detected: { separator: '\t' } })
    const tee = await shop.productOf('G-TEE')
    assert.partialDeepStrictEqual(tee, { name: 'Google tee', category: 'Shirts', price: 15 })
    assert.partialDeepStrictEqual(await shop.productOf('G-S'), {
      ...{ variant_of: tee.id, price: 15, compare_at_price: 20, weight_grams: 200 },
      ...{ options: { color: 'Red', size: 'S' }, gtin: '4006381333948' },
      attributes: { age_group: 'adult' },
    })
    assert.deepEqual((await shop.productOf('G-MUG')).attributes, { color: 'Blue' })
    // What is there stays where it is, and a path leads below it.
    assert.deepEqual(await pathOf('Cups'), ['Cups'])
    assert.partialDeepStrictEqual(await shop.productOf('G-M'), {
      ...{ price: 21, availability: 'out_of_stock', weight_grams: 200 },
    })
  })
})
