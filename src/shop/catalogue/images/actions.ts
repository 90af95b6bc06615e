import type { Context } from '#http/declare/context.ts'
import { productEvent } from '#shop/catalogue/products/events.ts'
import { lockProduct, requireProduct } from '#shop/catalogue/products/store.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { storageUnavailable } from '#src/files/storage.ts'
import type { Db } from '#store/database.ts'
import { notNull } from '#store/query/statements.ts'
import type { Instant } from '#values/instant.ts'
import { releaseFiles } from './file-store.ts'
import {
  applyPatch,
  arrangeFetched,
  repositioned,
  requireFewImages,
  summarizeImages,
  unusedFileMs,
} from './rules.ts'
import type { ImagePatch } from './schema.ts'
import * as store from './store.ts'
import { files, type ImageRow, productImages } from './table.ts'

/** When images change, and the currency of the product in events. */
type ChangeContext = Pick<Context, 'db' | 'now'> & { readonly currency: string }

/** Throws 404/4041 or 410/4101 without the product, and 409/4091 if it may have no further image. */
export async function requireRoomForImage(db: Db, productId: number): Promise<void> {
  await requireProduct(db, productId)
  requireFewImages((await store.findImages(db, productId)).length)
}

/** Adds a stored file as the last image of a product. Throws as `requireRoomForImage`. */
export async function addImage(
  ctx: ChangeContext,
  productId: number,
  { file_id, alt }: Pick<ImageRow, 'file_id' | 'alt'>,
): Promise<ImageRow> {
  const { db, now } = ctx
  await lockProduct(db, productId)
  await requireProduct(db, productId)
  const before = await store.findImages(db, productId)
  requireFewImages(before.length)
  await keepFile(db, file_id)
  const { id } = await productImages.insert(db, {
    ...{ product_id: productId, file_id, alt, position: before.length + 1 },
    ...{ source_url: null, created_at: now, updated_at: now },
  })
  const images = await refreshProduct(ctx, productId)
  return requireImage(images, id)
}

/** Throws 503/5031 for a file that is being removed. */
async function keepFile(db: Db, id: number): Promise<void> {
  const kept = await files.update(db, { id, hash: notNull }, { kept_until: null })
  if (kept === 0) throw storageUnavailable()
}

/** An image that an import has fetched. */
export type FetchedImage = Pick<ImageRow, 'file_id' | 'alt'> & { readonly source_url: string }

/**
 * Makes fetched images the first ones of a product, in their order; the others follow, and none is removed. One with
 * the URL or the content of another is that one. Returns those for which the product has no room. Throws 404/4041 or
 * 410/4101 without the product.
 */
export async function arrangeImages(
  ctx: ChangeContext,
  productId: number,
  fetched: readonly FetchedImage[],
): Promise<readonly FetchedImage[]> {
  const { db, now } = ctx
  await lockProduct(db, productId)
  await requireProduct(db, productId)
  const before = await store.findImages(db, productId)
  const { arranged, added, refused } = arrangeFetched(before, fetched)
  for (const { image, position } of added) {
    await keepFile(db, image.file_id)
    await productImages.insert(db, {
      ...{ ...image, product_id: productId, position },
      ...{ created_at: now, updated_at: now },
    })
  }
  await store.updateImages(db, arranged, now)
  if (added.length > 0 || arranged.length > 0) await refreshProduct(ctx, productId)
  return refused
}

/** Changes an image of a locked product; the images behind its old and new position move. */
export async function changeImage(
  ctx: ChangeContext,
  current: ImageRow,
  patch: ImagePatch,
): Promise<ImageRow> {
  const { db, now } = ctx
  const before = await store.findImages(db, current.product_id)
  const after = applyPatch(before, current, patch)
  const moved = repositioned(after)
  const changed = after.find(({ id, alt }) => id === current.id && alt !== current.alt)
  const isMoved = moved.some(({ id }) => id === current.id)
  const changes = changed && !isMoved ? [...moved, changed] : moved
  if (changes.length === 0) return current
  await store.updateImages(db, changes, now)
  return requireImage(await refreshProduct(ctx, current.product_id), current.id)
}

/** Removes an image of a locked product; those behind it move up. */
export async function removeImage(ctx: ChangeContext, { id, product_id, file_id }: ImageRow) {
  const { db, now } = ctx
  await productImages.delete(db, { id })
  await releaseFiles(db, [file_id], now + unusedFileMs)
  await store.updateImages(db, repositioned(await store.findImages(db, product_id)), now)
  await refreshProduct(ctx, product_id)
}

/** Removes the images of a product that is removed itself. */
export async function removeImagesOf(db: Db, productId: number, now: Instant): Promise<void> {
  const removed = await productImages.take(db, { product_id: productId })
  const fileIds = removed.map(({ file_id }) => file_id)
  await releaseFiles(db, fileIds, now + unusedFileMs)
}

/** Stores in the locked product what it shows of its images, with the event; returns the images. */
async function refreshProduct(
  { db, now, currency }: ChangeContext,
  productId: number,
): Promise<readonly ImageRow[]> {
  const images = await store.findImages(db, productId)
  const product = await store.saveImagesOfProduct(
    db,
    { id: productId },
    summarizeImages(images),
    now,
  )
  await recordEvents(db, [productEvent('product.updated', product, currency, now)])
  return images
}

function requireImage(images: readonly ImageRow[], id: number): ImageRow {
  const image = images.find((each) => each.id === id)
  if (!image) throw new TypeError(`The image ${id} is not among those of its product`)
  return image
}
