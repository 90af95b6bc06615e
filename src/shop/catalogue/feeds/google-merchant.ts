import { escapeText, isUnwritable } from '#http/codec/xml/text.ts'
import { presentImages } from '#shop/catalogue/images/rules.ts'
import { isOnSale } from '#shop/catalogue/prices/rules.ts'
import { parseAttributes } from '#shop/catalogue/products/attributes.ts'
import { nameKey } from '#shop/catalogue/products/named-values.ts'
import { isAvailable } from '#shop/catalogue/products/sellable.ts'
import type { UnitMeasure } from '#shop/catalogue/products/unit-price.ts'
import { parseOptions } from '#shop/catalogue/variants/options.ts'
import type { Shop } from '#shop/shop.ts'
import { toDecimalText } from '#values/money.ts'
import type { FeedProduct } from './feed-store.ts'
import { productPage } from './product-url.ts'

/** What items have besides their products. */
export interface FeedContext extends Pick<Shop, 'currency' | 'currencyDigits'> {
  readonly baseUrl: string
  readonly productUrl: string
}

// https://support.google.com/merchants/answer/7052112
const maxIdLength = 50
const maxTitleLength = 150
const maxTextLength = 5000
const maxImages = 10

/** The options that say in what the variants of a group differ. */
const variantAttributes: Readonly<Record<string, string>> = {
  ...{ color: 'color', colour: 'color', size: 'size', material: 'material', pattern: 'pattern' },
}

/** The units of Google by ours, and the amount for which it shows a price. */
const units: Readonly<Record<UnitMeasure['unit'], readonly [unit: string, base: string]>> = {
  g: ['g', '1 kg'],
  kg: ['kg', '1 kg'],
  ml: ['ml', '1 l'],
  l: ['l', '1 l'],
  m: ['m', '1 m'],
  m2: ['sqm', '1 sqm'],
  piece: ['ct', '1 ct'],
}

const element = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined || value === ''
    ? ''
    : `<${name}>${escapeText(toXmlText(value))}</${name}>`

/** A text without what XML 1.0 cannot have. */
const toXmlText = (text: string): string =>
  isUnwritable(text)
    ? Array.from(text.toWellFormed())
        .filter((character) => !isUnwritable(character))
        .join('')
    : text

const shorten = (text: string, length: number): string => Array.from(text).slice(0, length).join('')

/** The ID of an item: its SKU, where that is short enough. */
const idOf = ({ id, sku }: FeedProduct): string =>
  sku !== null && sku.length <= maxIdLength ? sku : `product-${id}`

/** What feeds have only products of. */
const shown = { status: 'active', parent_status: null, deleted_at: null } as const

function availabilityOf(product: FeedProduct): string {
  const { availability } = product
  if (availability === 'preorder' || availability === 'backorder') return availability
  return isAvailable({ ...product, ...shown }) ? 'in_stock' : 'out_of_stock'
}

function identifiersOf(product: FeedProduct, parent: FeedProduct | undefined): string {
  const brand = product.brand ?? parent?.brand ?? null
  const attributes = { ...attributesOf(parent), ...attributesOf(product) }
  const mpn = typeof attributes['mpn'] === 'string' ? shorten(attributes['mpn'], 70) : null
  const exists = product.gtin !== null || (brand !== null && mpn !== null)
  return (
    element('g:brand', brand && shorten(brand, 70)) +
    element('g:gtin', product.gtin) +
    element('g:mpn', mpn) +
    (exists ? '' : element('g:identifier_exists', 'no'))
  )
}

const attributesOf = (product: FeedProduct | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(parseAttributes(product?.attributes ?? null)).map(([name, value]) => [
      nameKey(name),
      value,
    ]),
  )

function imagesOf(
  product: FeedProduct,
  parent: FeedProduct | undefined,
  baseUrl: string,
): readonly string[] {
  const { images, image_url } = presentImages(product, baseUrl)
  const urls = images.flatMap(({ urls }) => urls['1280'] ?? [])
  if (urls.length > 0) return urls
  if (image_url !== null) return [image_url]
  return parent ? imagesOf(parent, undefined, baseUrl) : []
}

function pricesOf(product: FeedProduct, { currency, currencyDigits }: FeedContext): string {
  const amount = (minor: number) => `${toDecimalText(minor, currencyDigits)} ${currency}`
  const { price, compare_at_price } = product
  return isOnSale(product) && compare_at_price !== null
    ? element('g:price', amount(compare_at_price)) + element('g:sale_price', amount(price))
    : element('g:price', amount(price))
}

function measuresOf({ weight_grams, unit_measure }: FeedProduct): string {
  const weight = weight_grams === null ? null : `${weight_grams} g`
  if (unit_measure === null) return element('g:shipping_weight', weight)
  const { quantity, unit } = JSON.parse(unit_measure) as UnitMeasure
  const [name, base] = units[unit]
  return (
    element('g:shipping_weight', weight) +
    element('g:unit_pricing_measure', `${quantity} ${name}`) +
    element('g:unit_pricing_base_measure', base)
  )
}

function groupOf(product: FeedProduct, parent: FeedProduct | undefined): string {
  if (!parent) return ''
  const options = Object.entries(parseOptions(product.options) ?? {}).flatMap(([name, value]) => {
    const attribute = variantAttributes[nameKey(name)]
    return attribute === undefined ? [] : [element(`g:${attribute}`, value)]
  })
  return element('g:item_group_id', idOf(parent)) + options.join('')
}

/** Returns the category of a product or, where a variant has none, of its parent. */
export const categoryOf = (product: FeedProduct, parent: FeedProduct | undefined): string | null =>
  product.category ?? parent?.category ?? null

/** Returns the item of a product or variant, with the path of its category by name; none for a product with variants, which are items themselves. */
export function itemOf(
  product: FeedProduct,
  parent: FeedProduct | undefined,
  context: FeedContext,
  paths: ReadonlyMap<string, readonly string[]>,
): string {
  if (product.variant_count > 0 || product.availability === 'discontinued') return ''
  const [image, ...others] = imagesOf(product, parent, context.baseUrl)
  const description = product.description || parent?.description || product.name
  const handle = product.handle ?? parent?.handle ?? null
  const id = product.handle === null && parent ? parent.id : product.id
  const category = categoryOf(product, parent)
  const path = category === null ? undefined : (paths.get(category) ?? [category])
  return [
    '<item>',
    element('g:id', idOf(product)),
    element('g:title', shorten(product.name, maxTitleLength)),
    element('g:description', shorten(description, maxTextLength)),
    element('g:link', productPage(context.productUrl, { id, handle })),
    element('g:image_link', image),
    ...others.slice(0, maxImages).map((url) => element('g:additional_image_link', url)),
    element('g:availability', availabilityOf(product)),
    pricesOf(product, context),
    identifiersOf(product, parent),
    groupOf(product, parent),
    element('g:product_type', path?.join(' > ')),
    measuresOf(product),
    '</item>\n',
  ].join('')
}

/** The beginning of the feed. */
export const feedStart = (shopName: string, { baseUrl }: FeedContext): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>' +
  element('title', shopName) +
  element('link', baseUrl) +
  element('description', `Products of ${shopName}`) +
  '\n'

/** The end of the feed. */
export const feedEnd = '</channel></rss>\n'
