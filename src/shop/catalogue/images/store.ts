import { type RawBuilder, sql } from 'kysely'
import {
  catalogueCacheTag,
  productCacheTag,
  stockAndRatingCacheTag,
} from '#shop/catalogue/products/rules.ts'
import { type ProductRow, productRows } from '#shop/catalogue/products/table.ts'
import { invalidate } from '#store/changes.ts'
import { text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { files, type ImageRow, productImages } from './table.ts'

const imagesOf = (condition: RawBuilder<unknown>) => sql`
  select product_images.*, files.hash, files.width, files.height
  from product_images join files on files.id = product_images.file_id where ${condition}`

// A file that an image refers to keeps its hash.
const columns = {
  ...productImages.schemas,
  hash: text,
  ...files.schemasOf(['width', 'height']),
}

const byId = prepareSql(
  (_: Db, { productId, id }: { productId: number; id: number }) =>
    imagesOf(sql`product_images.id = ${id} and product_images.product_id = ${productId}`),
  columns,
)

/** Returns the image of a product with this ID. */
export const findImage = (db: Db, productId: number, id: number): Promise<ImageRow | undefined> =>
  byId.first(db, { productId, id })

const byProduct = prepareSql(
  (_: Db, param: { productId: number }) =>
    imagesOf(sql`product_images.product_id = ${param.productId} order by product_images.position`),
  columns,
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
    db,
    db
      .selectFrom('product_images')
      .innerJoin('files', 'files.id', 'product_images.file_id')
      .where('product_images.product_id', '=', productId),
    {
      id: 'product_images.id',
      position: 'product_images.position',
      created_at: 'product_images.created_at',
      updated_at: 'product_images.updated_at',
    },
    page,
    (rows) =>
      rows
        .selectAll('product_images')
        .select(['files.hash', 'files.width', 'files.height'])
        .$narrowType<{ hash: string }>(),
    { isFew: true },
  )

const stateFields = productImages.kindsOf(['id', 'alt', 'position', 'source_url'])
type ImageState = Pick<ImageRow, 'id' | 'alt' | 'position' | 'source_url'>

const updateStates = prepareSql(
  (db: Db, param: { states: readonly ImageState[]; now: Instant }) => sql`
    update product_images set alt = state.alt, position = state.position,
      source_url = state.source_url,
      revision = product_images.revision + 1, updated_at = ${param.now}
    from ${rowsFromJson(db, param.states, stateFields)} as state
    where product_images.id = state.id`,
)

/** Updates images of a locked product to their next revisions. */
export async function updateImages(
  db: Db,
  images: readonly ImageRow[],
  now: Instant,
): Promise<void> {
  const states = images.map(({ id, alt, position, source_url }) => ({
    ...{ id, alt, position, source_url },
  }))
  if (states.length > 0) await updateStates.run(db, { states, now })
}

/** Stores what a locked product shows of its images, as its next revision. */
export async function saveImagesOfProduct(
  db: Db,
  { id }: Pick<ProductRow, 'id'>,
  images: string | null,
  now: Instant,
): Promise<ProductRow> {
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag)
  const [saved] = await productRows.reviseRows(db, { id }, { images }, now)
  if (!saved) throw new TypeError('The product is not locked')
  return saved
}
