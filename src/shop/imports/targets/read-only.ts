import { isDeepStrictEqual } from 'node:util'
import { createMessage } from '#i18n/message.ts'
import { presentImages } from '#shop/catalogue/images/rules.ts'
import { presentRating, reviewedProductId } from '#shop/catalogue/products/rules.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { loadReviewsOf } from '#shop/catalogue/reviews/store.ts'
import { fieldProblem } from '#values/problem.ts'
import { isObject } from '../file/columns.ts'
import { type ImportContext, isGiven, type KeyedRow } from './target.ts'

/** What exports have that no import changes, by its members that are compared. */
const compared = {
  images: ['id', 'alt'],
  rating: ['average', 'count'],
  reviews: ['id', 'rating', 'title', 'body'],
} as const
type ReadOnlyField = keyof typeof compared

/** The fields that a row may have only as its product has them. */
export const readOnlyFields = Object.keys(compared) as readonly ReadOnlyField[]

type ReadOnly = Readonly<Record<ReadOnlyField, unknown>>

/** What a product without reviews and images has. */
const none: ReadOnly = { images: [], rating: {}, reviews: [] }

function comparable(field: ReadOnlyField, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(field, each))
  if (!isObject(value)) return value
  // A cell of a number without a value is empty.
  return compared[field].map((name) => value[name] || null)
}

const isSame = (field: ReadOnlyField, one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(comparable(field, one), comparable(field, other))

/** True for a value of such a field that says something. */
export const saysReadOnly = (field: string, value: unknown): boolean =>
  isGiven(value) && !isSame(field as ReadOnlyField, value, none[field as ReadOnlyField])

/** Returns what the products of rows have of these fields; of one without, as of a new product. */
export async function findReadOnly(
  { shopDb }: ImportContext,
  rows: readonly KeyedRow[],
  products: readonly ProductRow[],
): Promise<(product: ProductRow | undefined) => ReadOnly> {
  const isAsked = rows.some(({ fields }) => isGiven(fields['reviews']))
  const ids = isAsked ? new Set(products.map(reviewedProductId)) : []
  const reviewed = Array.from(ids, (id) => ({ id }))
  const reviews = reviewed.length === 0 ? new Map() : await loadReviewsOf(shopDb, reviewed, 'all')
  const byId = new Map(reviewed.map((each) => [each.id, reviews.get(each) ?? []]))
  return (product) => {
    if (!product) return none
    const { images } = presentImages(product, '')
    const rating = presentRating(product)
    return { images, rating, reviews: byId.get(reviewedProductId(product)) ?? [] }
  }
}

/** Throws 422/4221 for what a row has otherwise than its product. */
export function requireSame({ fields }: KeyedRow, findStored: () => ReadOnly): void {
  const given = readOnlyFields.filter((field) => isGiven(fields[field]))
  if (given.length === 0) return
  const stored = findStored()
  const changed = given.filter((field) => !isSame(field, fields[field], stored[field]))
  if (changed.length === 0) return
  const message = createMessage('import.read_only')
  throw fieldProblem(changed.map((field) => ({ field, message })))
}
