import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { FileRow } from '../file-row.ts'
import type { RowOutcome } from '../rules.ts'
import { operationImages } from '../table.ts'
import { isRejected } from '../targets/target.ts'
import { imageSourcesOf } from './image-sources.ts'

/** Stores which images the imported rows of a batch name; of several rows of a product, the last one counts. */
export async function storeImageSources(
  transactionDb: Db,
  operationId: number,
  batch: readonly FileRow[],
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const rows = batch.filter(({ row }) => !isRejected(row))
  const named = rows.flatMap(({ row, line, record, fields }, at) => {
    const images = imageSourcesOf(fields)
    if (isRejected(row) || typeof outcomes[at] !== 'string' || images.length === 0) return []
    return [
      {
        ...{ operation_id: operationId, product: row.key, line, record },
        sku: String(fields['sku']),
        ...{ images: JSON.stringify(images), image_count: images.length },
      },
    ]
  })
  if (named.length === 0) return
  const keys = named.map(({ product }) => product)
  await operationImages.delete(transactionDb, { operation_id: operationId, product: keys })
  await operationImages.insertAll(transactionDb, named)
}

const sum = prepareQuery((db: Db, { id }: { readonly id: number }) =>
  db
    .selectFrom('operation_images')
    .select((eb) => eb.fn.sum('image_count').as('number'))
    .where('operation_id', '=', id),
)

/** Returns how many images the rows of an import name. */
export const countImages = async (db: Db, id: number): Promise<number> =>
  Number((await sum.first(db, { id }))?.number ?? 0)
