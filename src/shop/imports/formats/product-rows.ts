import { createHash } from 'node:crypto'
import type { fields as productFields } from '#shop/catalogue/products/fields.ts'
import { textKey } from '#values/text-key.ts'
import type { Fields, ForeignRow } from './format.ts'

/** A variant of a product of another system. */
export interface ForeignVariant {
  /** The place in the unit of its record. */
  readonly at: number
  readonly fields: Fields
  /** Its options by their names there. */
  readonly options: readonly (readonly [name: string, value: string])[]
}

/** A product of another system. */
export interface ForeignProduct {
  readonly at: number
  readonly fields: Fields
  /** What SKUs are made of where it has none. */
  readonly handle: string
  readonly variants: readonly ForeignVariant[]
}

const maxSkuLength = 64
const hashLength = 8

/** Returns the SKU that a product gets whose file has none: of its handle, and of a variant the values of its options. */
export function makeSku(handle: string, values: readonly string[] = []): string {
  const sku = [handle, ...values].join('-').trim()
  if (sku.length <= maxSkuLength) return sku
  const hash = createHash('sha256').update(sku).digest('hex').slice(0, hashLength)
  return `${sku.slice(0, maxSkuLength - hashLength - 1)}-${hash}`
}

/** What variants have of their product. */
export const inherited = [
  'name',
  'category',
  'brand',
] as const satisfies (keyof typeof productFields)[]
/** What a product with variants has of the first one: what its list and its page show. */
const shownOfFirst = [
  'price',
  'compare_at_price',
  'requires_shipping',
] as const satisfies (keyof typeof productFields)[]

/** Returns these fields of a row, as far as it has them. */
export const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])))

/** Returns the row of a product that has no variants: what it has itself, and as its only variant. */
export function singleRow(at: number, handle: string, fields: Fields): ForeignRow {
  const sku = fields['sku'] ?? null
  return sku === null && handle !== ''
    ? { at, fields: { ...fields, sku: makeSku(handle) }, isSkuMade: true }
    : { at, fields }
}

/**
 * Returns the rows of a product and its variants. One without a SKU gets one; so does a variant whose SKU another one of
 * the product has, since each is a product here.
 */
export function rowsOfProduct({
  at,
  fields,
  handle,
  variants,
}: ForeignProduct): readonly ForeignRow[] {
  const taken = new Set<string>()
  const rows = variants.map((variant): ForeignRow => {
    const { sku, isSkuMade } = skuOf(variant, handle, taken)
    const options = Object.fromEntries(variant.options)
    return {
      at: variant.at,
      fields: { ...pick(fields, inherited), ...variant.fields, sku, options },
      isSkuMade,
    }
  })
  const named = typeof fields['sku'] === 'string' ? fields['sku'] : undefined
  const made = makeSku(handle)
  const sku = named ?? (taken.has(textKey(made)) ? makeSku(handle, ['product']) : made)
  const parent = { ...pick(variants[0]?.fields ?? {}, shownOfFirst), ...fields, sku }
  return [
    { at, fields: parent, isSkuMade: named === undefined },
    ...rows.map((row) => ({ ...row, fields: { ...row.fields, variant_of_sku: sku } })),
  ]
}

/** The SKU of a variant: its own, unless it has none or an earlier one has it. */
function skuOf({ fields, options }: ForeignVariant, handle: string, taken: Set<string>) {
  const values = options.map(([, value]) => value)
  const own = typeof fields['sku'] === 'string' ? fields['sku'] : undefined
  const isOwn = own !== undefined && !taken.has(textKey(own))
  const sku = isOwn ? own : makeSku(own ?? handle, values)
  taken.add(textKey(sku))
  return { sku, isSkuMade: !isOwn }
}

/** Returns options by name; those without a name or a value are left out. */
export const optionsOf = (
  options: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(options.filter(([name, value]) => name !== '' && value !== ''))
