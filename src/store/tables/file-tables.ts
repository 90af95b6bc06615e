import type { Generated } from 'kysely'

/**
 * The columns of `files`: an uploaded image and its derivatives in the file storage. Without a `hash` it is
 * being stored or removed.
 */
export interface FileTable {
  id: Generated<number>
  /** Identifies the content in URLs; unique. */
  hash: string | null
  /** The beginning of the names of its objects in the storage; unique. */
  location: string
  /** The media type of the original. */
  type: string
  /** In pixels; null where the image could not be decoded for want of `sharp`. */
  width: number | null
  height: number | null
  /** The SHA-256 of each served object by its name, as a JSON object; null until all are stored. */
  digests: string | null
  /** When it is removed if nothing refers to it; null while something does. */
  kept_until: number | null
  created_at: number
}

/** The columns of `product_images`. */
export interface ProductImageTable {
  id: Generated<number>
  product_id: number
  file_id: number
  alt: string
  /** From 1, without gaps within a product. */
  position: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}
