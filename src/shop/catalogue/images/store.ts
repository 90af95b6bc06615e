import {
  catalogueCacheTag,
  productCacheTag,
  stockAndRatingCacheTag,
} from '#shop/catalogue/products/rules.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { ImageRow } from './table.ts'

const joined = (db: Db) =>
  db.selectFrom('product_images').innerJoin('files', 'files.id', 'product_images.file_id')

const selectImages = (rows: ReturnType<typeof joined>) =>
  rows
    .selectAll('product_images')
    .select(['files.hash', 'files.width', 'files.height'])
    // A file that an image refers to keeps its hash.
    .$narrowType<{ hash: string }>()

const imagesOf = (db: Db) => selectImages(joined(db))

const byId = prepareQuery((db: Db, param: { productId: number; id: number }) =>
  imagesOf(db)
    .where('product_images.id', '=', param.id)
    .where('product_images.product_id', '=', param.productId),
)

/** Returns the image of a product with this ID. */
export const findImage = (db: Db, productId: number, id: number): Promise<ImageRow | undefined> =>
  byId.first(db, { productId, id })

const byProduct = prepareQuery((db: Db, param: { productId: number }) =>
  imagesOf(db)
    .where('product_images.product_id', '=', param.productId)
    .orderBy('product_images.position'),
)

/** Returns all images of a product in the order of their positions. */
export const findImages = (db: Db, productId: number): Promise<ImageRow[]> =>
  byProduct.all(db, { productId })

/** Returns one page of the images of a product. */
export const listImages = (
  db: Db,
  productId: number,
  page: PageRequest,
): Promise<PageResult<ImageRow>> =>
  paginate(
    joined(db).where('product_images.product_id', '=', productId),
    {
      id: 'product_images.id',
      position: 'product_images.position',
      created_at: 'product_images.created_at',
      updated_at: 'product_images.updated_at',
    },
    page,
    selectImages,
    { isFew: true },
  )

const stateFields = { id: 'integer', alt: 'text', position: 'integer' } as const
type ImageState = Pick<ImageRow, 'id' | 'alt' | 'position'>

const updateStates = prepareQuery(
  (db: Db, param: { states: readonly ImageState[]; now: Instant }) =>
    db
      .updateTable('product_images')
      .from(rowsFromJson(db, param.states, stateFields).as('state'))
      .set((eb) => ({
        alt: eb.ref('state.alt'),
        position: eb.ref('state.position'),
        revision: eb('product_images.revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .whereRef('product_images.id', '=', 'state.id'),
)

/** Updates images of a locked product to their next revisions. */
export async function updateImages(
  db: Db,
  images: readonly ImageRow[],
  now: Instant,
): Promise<void> {
  const states = images.map(({ id, alt, position }) => ({ id, alt, position }))
  if (states.length > 0) await updateStates.run(db, { states, now })
}

const updateProduct = prepareQuery(
  (db: Db, param: { id: number; images: string | null; now: Instant }) =>
    db
      .updateTable('products')
      .set((eb) => ({
        images: param.images,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .where('id', '=', param.id)
      .returningAll(),
)

/** Stores what a locked product shows of its images, as its next revision. */
export async function saveImagesOfProduct(
  db: Db,
  { id }: Pick<ProductRow, 'id'>,
  images: string | null,
  now: Instant,
): Promise<ProductRow> {
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag)
  const saved = await updateProduct.first(db, { id, images, now })
  if (!saved) throw new TypeError('The product is not locked')
  return saved
}
