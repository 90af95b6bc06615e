import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `files`. */
export type FileRow = Selectable<Tables['files']>

/** A row of the table `product_images` with what its file says about it. */
export type ImageRow = Selectable<Tables['product_images']> &
  Pick<FileRow, 'width' | 'height'> & {
    /** The content of the image in URLs. */
    readonly hash: string
  }
