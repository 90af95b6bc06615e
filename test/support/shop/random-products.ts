import { createRandom, entryAt, integerBetween, type Random } from '#src/demo/random.ts'
import { gtinOf } from '#test/contract/setup/valid-requests.ts'

/** Words in five scripts, and what files quote, guard or take for something else. */
const words = [
  ...['Crème', 'Öl-Kännchen', 'Žluťoučký', 'café', 'ñandú', 'Łódź', 'smørrebrød', 'Straße'],
  ...['Чайник', 'дом', 'щётка', 'Київ', 'ёлка', 'объём', 'Їжак'],
  ...['Τσάι', 'ποτήρι', 'Αθήνα', 'ξύλο', 'γάλα', 'ώρα'],
  ...['إبريق', 'شاي', 'خشب', 'كُوب', 'أحمر', 'مصباح'],
  ...['急須', '茶碗', '물병', 'やかん', '红色', 'カップ', '木制'],
  ...["'s", '"best"', '5"', 'a;b', 'x,y', '=1', '-5', '+49', '@home', '12', '007', 'true', 'null'],
  ...['1e3', '[1]', '{}', '½', '☕', '🫖', 'A&B', '<b>', 'tab|pipe', '50%', 'http://x.example/a,b'],
]

interface Row {
  readonly [field: string]: unknown
  readonly sku: string | null
}

const textOf = (random: Random, longest: number): string =>
  Array.from({ length: integerBetween(1, longest, random) }, () => entryAt(words, random())).join(
    ' ',
  )

/** Each with one chance in two. */
const sometimes = <T>(random: Random, value: () => T): T | null => (random() < 0.5 ? value() : null)

const paragraphs = (random: Random): string =>
  Array.from({ length: integerBetween(1, 3, random) }, () => textOf(random, 12)).join('\n')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const htmlOf = (random: Random): string =>
  `<h2>${escaped(textOf(random, 3))}</h2><ul><li>${escaped(textOf(random, 5))}</li><li><strong>b</strong></li></ul>`

function attributesOf(random: Random): object | null {
  const values = [
    () => textOf(random, 3),
    () => integerBetween(-9, 9, random) / 4,
    () => random() < 0.5,
    () => [textOf(random, 1), 'second'],
    () => 'long '.repeat(150).trim(),
  ]
  const names = [...words.slice(0, 40), 'Care. By hand', 'x'.repeat(50)]
  const count = integerBetween(0, 4, random)
  if (count === 0) return null
  const attributes = Array.from({ length: count }, () => {
    const name = entryAt(names, random())
    return [name, entryAt(values, random())()] as const
  })
  return Object.fromEntries(attributes)
}

const ownFields = (random: Random, number: number) => ({
  price: integerBetween(0, 100_000, random) / 100,
  stock: sometimes(random, () => integerBetween(0, 500, random)),
  compare_at_price: sometimes(random, () => integerBetween(1, 100_000, random) / 100),
  cost_price: sometimes(random, () => integerBetween(1, 10_000, random) / 100),
  weight_grams: sometimes(random, () => integerBetween(0, 5000, random)),
  gtin: sometimes(random, () => gtinOf(100_000 + number)),
  external_id: sometimes(random, () => `${entryAt(words, random())}/${number}`),
  requires_shipping: random() < 0.8,
  backorder: random() < 0.2,
  attributes: attributesOf(random),
})

const sharedFields = (random: Random, number: number) => ({
  name: textOf(random, 5),
  category: sometimes(random, () => textOf(random, 2)),
  brand: sometimes(random, () => entryAt(words, random())),
  handle: sometimes(random, () => `h-${number}`),
  status: entryAt(['active', 'active', 'active', 'draft', 'archived'], random()),
  ...(random() < 0.5 ? { description: paragraphs(random) } : { description_html: htmlOf(random) }),
  tags: Array.from({ length: integerBetween(0, 4, random) }, () => textOf(random, 2)),
  seo_title: sometimes(random, () => textOf(random, 4)),
  seo_description: sometimes(random, () => paragraphs(random)),
  tax_class: sometimes(random, () => entryAt(['reduced', 'нулевая'], random())),
  unit_measure: sometimes(random, () => ({ quantity: '0.75', unit: 'l' })),
  image_url: sometimes(random, () => `https://images.example/${number}.jpg?a=1,2`),
})

function productRow(random: Random, number: number): Row {
  const fields = { ...ownFields(random, number), ...sharedFields(random, number) }
  const availability = entryAt(['in_stock', 'preorder', 'discontinued', 'out_of_stock'], random())
  const handle = `only-handle-${number}`
  const keys =
    random() < 0.1 ? { sku: null, handle } : { sku: `${entryAt(words, random())} ${number}` }
  return { ...fields, ...keys, ...(fields.stock === null && { availability }) }
}

function familyRows(random: Random, number: number, size: number): readonly Row[] {
  const names = { sku: `P-${number}`, external_id: `P ${number}`, handle: `p-${number}` }
  const field = entryAt(['sku', 'external_id', 'handle'] as const, random())
  const none = { sku: null, external_id: null, handle: null }
  const parent = { ...productRow(random, number), stock: null, ...none, [field]: names[field] }
  const [first, second] = [textOf(random, 2), `${entryAt(words, random())} 2`]
  const variants = Array.from(
    { length: size },
    (_, at): Row => ({
      ...ownFields(random, number + 1 + at),
      name: textOf(random, 3),
      sku: `${entryAt(words, random())} ${number + 1 + at}`,
      [`variant_of_${field}`]: names[field],
      options: {
        [first]: `${textOf(random, 1)} ${at % 3}`,
        [second]: `${at} ${textOf(random, 1)}`,
      },
    }),
  )
  // In any order: some variants stand before their product.
  return random() < 0.5 ? [parent, ...variants] : [...variants, parent]
}

/** Returns rows of products and variants, in the fields of the API. The same seed gives the same ones. */
export function randomProducts(count: number, seed: number): readonly object[] {
  const random = createRandom(seed)
  const rows: Row[] = []
  while (rows.length < count) {
    const number = rows.length
    const size = random() < 0.3 ? integerBetween(1, 5, random) : 0
    rows.push(...(size === 0 ? [productRow(random, number)] : familyRows(random, number, size)))
  }
  return rows
}
