import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, identity, integer, revised, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/**
 * An uploaded image and its derivatives in the file storage. Without a `hash` it is
 * being stored or removed.
 */
export const files = table('files', {
  columns: {
    id: identity,
    /** Identifies the content in URLs; unique. */
    hash: nullable(text),
    /** The beginning of the names of its objects in the storage; unique. */
    location: text,
    /** The media type of the original. */
    type: text,
    /** In pixels; null where the image could not be decoded for want of `sharp`. */
    width: nullable(integer),
    height: nullable(integer),
    /** The SHA-256 of each served object by its name, as a JSON object; null until all are stored. */
    digests: nullable(text),
    /** When it is removed if nothing refers to it; null while something does. */
    kept_until: nullable(integer),
    created_at: integer,
  },
  unique: ['hash where hash is not null'],
  indexes: ['kept_until where kept_until is not null'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

/** Productimages. */
export const productImages = table('product_images', {
  columns: {
    ...revised,
    product_id: integer,
    file_id: integer,
    alt: text,
    /** From 1, without gaps within a product. */
    position: integer,
    /** Where an import has fetched it; null for an upload. */
    source_url: nullable(text),
  },
  references: { file_id: 'files' },
  indexes: ['product_id, position', 'file_id', 'source_url where source_url is not null'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    files: ColumnsOf<(typeof files)['schemas']>
    product_images: ColumnsOf<(typeof productImages)['schemas']>
  }
}

/** A row of the table `files`. */
export type FileRow = Selectable<Tables['files']>

/** A row of the table `product_images` with what its file says about it. */
export type ImageRow = Selectable<Tables['product_images']> &
  Pick<FileRow, 'width' | 'height'> & {
    /** The content of the image in URLs. */
    readonly hash: string
  }
