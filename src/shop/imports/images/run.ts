import { createMessage, type Message, resourceWord } from '#i18n/message.ts'
import type { KeptCredential } from '#shop/access/kept-credential-store.ts'
import { arrangeImages, type FetchedImage } from '#shop/catalogue/images/actions.ts'
import { findServedFile, storeImage } from '#shop/catalogue/images/files.ts'
import { maxImages } from '#shop/catalogue/images/schema.ts'
import { findImages } from '#shop/catalogue/images/store.ts'
import { productImages } from '#shop/catalogue/images/table.ts'
import type { Shop } from '#shop/shop.ts'
import type { FileParts } from '#src/files/scale.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import { Problem, problem } from '#values/problem.ts'
import { claimImport, EndedCredentialError, LostClaimError } from '../claim.ts'
import { errorsOf, type RowError, storableText } from '../rules.ts'
import * as store from '../store.ts'
import { type OperationImageRow, operationImages } from '../table.ts'
import { findProductIdByKey } from '../targets/product-identity.ts'
import { ImageClaim } from './claim.ts'
import { FetchError, type FetchImage, imageUrl } from './fetch-image.ts'
import { HostBudget } from './host-budget.ts'
import { type ImageSource, imagesField } from './image-sources.ts'

/** What fetches the images of imports. */
export interface ImageImportParts extends FileParts {
  readonly db: Db
  readonly transaction: RunTransaction
  readonly clock: () => Instant
  readonly shop: Shop
  readonly fetchImage: FetchImage
  /** No further image is fetched once it is aborted. */
  readonly signal?: AbortSignal
}

/** The images that a process fetches at the same time; those of imports take turns. */
const maxFetches = 4
/** The products of which images are read at once. */
const batchProducts = 16
/** After this time, an import lets others have its place. */
const sliceMs = 10 * secondMs
/** An import ends after this many attempts without the images of a further product. */
const maxAttempts = 10
/** The pause after an attempt for which the storage could not be used. */
const pauseMs = 15 * secondMs
const maxUrlLength = 2000
const maxAltLength = 500

/** Fetches the images of the imports that no other process works on, until none is left. */
export type RunImageImports = () => Promise<void>

/** What the images of one import share. */
interface ImageJob extends ImageImportParts {
  readonly claim: ImageClaim
  readonly budget: HostBudget
  /** Waits for a place. */
  readonly inPlace: ReturnType<typeof withLimitedConcurrency>
}

/**
 * Returns what fetches the images of waiting imports. It may be called while it runs, so that a further import is worked
 * on at the same time. What was fetched for an import that ends meanwhile is not added.
 */
export function createImageImports(parts: ImageImportParts): RunImageImports {
  const { db, clock, signal } = parts
  const inPlace = withLimitedConcurrency(maxFetches)
  const budgets = new Map<number, HostBudget>()
  return async () => {
    while (!signal?.aborted) {
      const operation = await claimImport(db, clock(), 'images')
      if (!operation) return
      const budget = budgets.get(operation.id) ?? new HostBudget()
      budgets.set(operation.id, budget)
      const claim = new ImageClaim(parts, operation)
      const isOver = await importImages({ ...parts, claim, budget, inPlace })
      if (isOver) budgets.delete(operation.id)
    }
  }
}

/** Works on the images of a claimed import; true once it is over for this process. */
async function importImages(job: ImageJob): Promise<boolean> {
  const { db, claim, clock, signal } = job
  const { id, attempts } = claim.operation
  const ending = new AbortController()
  const keeping = claim.keep(ending.signal)
  try {
    if (attempts > maxAttempts) {
      await claim.end(createMessage('import.images_given_up'))
      return true
    }
    return await Promise.race([addImages(job), keeping.then(() => false)])
  } catch (error) {
    if (error instanceof LostClaimError) return true
    if (error instanceof EndedCredentialError) {
      await store.endUnpermitted(db, id, clock())
      return true
    }
    if (signal?.aborted) await claim.release(clock())
    else if (isUnavailable(error)) await claim.release(clock() + attempts * pauseMs)
    else throw error
    return false
  } finally {
    ending.abort()
  }
}

/** True for a storage, or what scales images, that cannot be used now. */
const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.code === '5031'

/** Adds images until none is left, or others are to have the place of the import; true if none is left. */
async function addImages(job: ImageJob): Promise<boolean> {
  const { db, claim, clock, signal } = job
  const until = performance.now() + sliceMs
  for (;;) {
    const where = { operation_id: claim.operation.id }
    const rows = await operationImages.findAll(db, where, { limit: batchProducts })
    if (rows.length === 0) {
      const { failure } = claim.operation
      await claim.end(failure === null ? null : (JSON.parse(failure) as Message))
      return true
    }
    const waiting = rows.values()
    const work = async () => {
      for (const row of waiting) await addImagesOfProduct(job, row)
    }
    const done = await Promise.allSettled(Array.from({ length: maxFetches }, work))
    const failed = done.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    signal?.throwIfAborted()
    if (performance.now() < until) continue
    await claim.release(clock())
    return false
  }
}

/** An image that could not be added. */
interface FailedImage {
  readonly source: ImageSource
  readonly errors: readonly RowError[]
}

/** Fetches the images of a product that it does not have, and makes all of them its first ones. */
async function addImagesOfProduct(job: ImageJob, row: OperationImageRow): Promise<void> {
  const { db, claim, shop } = job
  const { operation_id, product } = row
  const sources = JSON.parse(row.images) as readonly ImageSource[]
  const failed: FailedImage[] = sources.slice(maxImages).map(noRoom)
  const productId = await findProductIdByKey(db, product)
  const known = productId === undefined ? [] : await findImages(db, productId)
  const { mayWriteFiles } = JSON.parse(claim.operation.credential) as KeptCredential
  const refuse = productId === undefined ? noProduct : mayWriteFiles ? undefined : noScope
  const fetched: FetchedImage[] = []
  for (const source of sources.slice(0, maxImages)) {
    const image = refuse ? refuse(source) : await obtain(job, source, known)
    if ('errors' in image) failed.push(image)
    else fetched.push(image)
  }
  await claim.commit(async (tx, now) => {
    const ctx = { db: tx, now, currency: shop.currency }
    const refused =
      productId === undefined || fetched.length === 0
        ? []
        : await arrangeImages(ctx, productId, fetched)
    const urls = new Set(refused.map(({ source_url }) => source_url))
    const withoutRoom = sources.filter(({ url }) => urls.has(url)).map(noRoom)
    const failures = [...failed, ...withoutRoom]
    await store.insertErrors(tx, operation_id, failuresOf(row, failures), now)
    await operationImages.delete(tx, { operation_id, product })
    return { done: sources.length - failures.length, failed: failures.length }
  })
}

const failedWith = (source: ImageSource, error: Problem): FailedImage => ({
  source,
  errors: errorsOf(error).map((each) => ({ ...each, field: imagesField })),
})

const noRoom = (source: ImageSource): FailedImage =>
  failedWith(source, problem('4091', 'image.limit', { limit: maxImages }))

const noProduct = (source: ImageSource): FailedImage =>
  failedWith(source, problem('4041', 'detail.no_resource', { name: resourceWord('product') }))

const noScope = (source: ImageSource): FailedImage =>
  failedWith(source, problem('4033', 'detail.scope', { scope: 'files:write' }))

const failuresOf = (row: OperationImageRow, failed: readonly FailedImage[]) =>
  failed.flatMap(({ source: { url, line = row.line, record = row.record }, errors }) =>
    errors.map((error) => ({
      ...error,
      ...{ line, record, key: row.sku, value: storableText(url, 100) },
    })),
  )

/** Returns an image as it is to be shown: one that was fetched from its URL before, else one that is fetched and stored. */
async function obtain(
  job: ImageJob,
  source: ImageSource,
  known: Awaited<ReturnType<typeof findImages>>,
): Promise<FetchedImage | FailedImage> {
  const alt = storableText(source.alt.trim(), maxAltLength)
  try {
    const { href, hostname, pathname } = requireUrl(source.url)
    const isSame = ({ source_url }: { readonly source_url: string | null }) => source_url === href
    const same = known.find(isSame) ?? (await productImages.find(job.db, { source_url: href }))
    const file_id =
      same?.file_id ??
      // It is scaled there, and would be another content.
      (await findServedFile(job.db, pathname))?.id ??
      (await fetchFile(job, href, hostname))
    return { file_id, alt, source_url: href }
  } catch (error) {
    if (error instanceof FetchError) {
      const { code, detail: message } = error
      return { source, errors: [{ field: imagesField, code, message }] }
    }
    if (!(error instanceof Problem) || isUnavailable(error)) throw error
    return failedWith(source, error)
  }
}

function requireUrl(text: string): URL {
  const url = imageUrl(text)
  if (url.href.length <= maxUrlLength) return url
  throw new FetchError(createMessage('field.max_length', { limit: maxUrlLength }))
}

/** Fetches an image and stores it; returns its file. Throws a FetchError, and a Problem as an upload does. */
async function fetchFile(job: ImageJob, url: string, host: string): Promise<number> {
  const { budget, inPlace, fetchImage, clock, signal, transaction, claim } = job
  const fetchBytes = async (): Promise<Buffer> => {
    signal?.throwIfAborted()
    if (budget.isGivenUp(host)) throw new FetchError(createMessage('import.image_host', { host }))
    const startMs = performance.now()
    let hasAnswered = true
    try {
      return await fetchImage(url, signal)
    } catch (error) {
      hasAnswered = !(error instanceof FetchError && error.isOfHost)
      throw error
    } finally {
      budget.note(host, performance.now() - startMs, hasAnswered)
    }
  }
  // Its bytes are in memory until it is stored.
  return inPlace(async () => {
    const bytes = await fetchBytes()
    return (await storeImage(job, bytes, { transaction, now: clock() })).id
  }, String(claim.operation.id))
}
