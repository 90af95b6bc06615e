import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  addColumn,
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

/** Creates the tables of stored files and of the images of products. */
export async function createImages(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'files', {
    id,
    hash: optionalText(),
    location: text(),
    type: text(),
    width: optionalInteger(),
    height: optionalInteger(),
    digests: optionalText(),
    kept_until: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'files', ['hash'], { unique: true, where: sql`hash is not null` })
  await createIndex(db, 'files', ['kept_until'], { where: sql`kept_until is not null` })
  await createTable(db, 'product_images', {
    id,
    product_id: integer(),
    file_id: integer((column) => column.references('files.id')),
    alt: text(),
    position: integer(),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'product_images', ['product_id', 'position'])
  await createIndex(db, 'product_images', ['file_id'])
  await addColumn(db, 'products', 'images', optionalText())
}
