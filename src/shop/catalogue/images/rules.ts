import { imageWidths } from '#src/files/scale.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { hourMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import type { ImagePatch } from './schema.ts'
import { maxImages } from './schema.ts'
import type { ImageRow } from './table.ts'

/** The path below which files are served. */
export const filesPath = '/files'

/** How long a file is kept that is being uploaded, in milliseconds; far longer than an upload takes. */
export const uploadMs = hourMs

/**
 * How long a file is kept after the last image that showed it, in milliseconds, for caches of pages that
 * still refer to it and for backups, which copy the files after the database.
 */
export const unusedFileMs = 12 * hourMs

/** What a product shows of an image, as it is stored in the row of the product. */
export type ImageSummary = Pick<ImageRow, 'id' | 'alt' | 'position' | 'width' | 'height' | 'hash'>

/** Returns what the row of a product stores about its images; null without images. */
export function summarizeImages(images: readonly ImageSummary[]): string | null {
  if (images.length === 0) return null
  return JSON.stringify(
    images.map(({ id, alt, position, width, height, hash }) => ({
      id,
      alt,
      position,
      width,
      height,
      hash,
    })),
  )
}

const parseSummary = (stored: string | null): readonly ImageSummary[] =>
  stored === null ? [] : (JSON.parse(stored) as readonly ImageSummary[])

const urlsOf = (hash: string, baseUrl: string) => {
  const urlOf = (width: number) => `${baseUrl}${filesPath}/${hash}-${width}.webp`
  return Object.fromEntries(imageWidths.map((width) => [width, urlOf(width)]))
}

/** Returns an image as its schema describes it; `baseUrl` is the public URL of the server. */
export const presentImage = <I extends ImageSummary>(image: I, baseUrl: string) => ({
  ...image,
  urls: urlsOf(image.hash, baseUrl),
})

/** Returns the images of a product, and the URL of its first image or, without images, its own one. */
export function presentImages(
  product: { readonly images: string | null; readonly image_url: string | null },
  baseUrl: string,
) {
  const images = parseSummary(product.images).map((image) => presentImage(image, baseUrl))
  return { images, image_url: images[0]?.urls['1280'] ?? product.image_url }
}

/** Throws 409/4091 for a product that has as many images as it may. */
export function requireFewImages(count: number): void {
  if (count >= maxImages) throw problem('4091', 'image.limit', { limit: maxImages })
}

/** Numbers images by their place, from 1; returns those whose position that changes. */
export const repositioned = <I extends Pick<ImageRow, 'position'>>(
  images: readonly I[],
): readonly I[] =>
  images.flatMap((image, index) =>
    image.position === index + 1 ? [] : [{ ...image, position: index + 1 }],
  )

/** Returns the images in their order after a change of one of them. */
export function applyPatch(
  images: readonly ImageRow[],
  current: ImageRow,
  { alt = current.alt, position = current.position }: ImagePatch,
): readonly ImageRow[] {
  const others = images.filter(({ id }) => id !== current.id)
  return others.toSpliced(position - 1, 0, { ...current, alt })
}

interface Arrangement<Fetched> {
  /** The images whose position, text or URL changes. */
  readonly arranged: readonly ImageRow[]
  readonly added: readonly { readonly image: Fetched; readonly position: number }[]
  /** Those for which there is no room. */
  readonly refused: readonly Fetched[]
}

/** Returns what becomes of the images of a product once fetched ones are its first ones. */
export function arrangeFetched<
  Fetched extends Pick<ImageRow, 'file_id' | 'alt'> & { readonly source_url: string },
>(before: readonly ImageRow[], fetched: readonly Fetched[]): Arrangement<Fetched> {
  const unplaced = new Set(before)
  const take = (isWanted: (image: ImageRow) => boolean): ImageRow | undefined => {
    const found = Array.from(unplaced).find(isWanted)
    if (found) unplaced.delete(found)
    return found
  }
  const files = new Set<number>()
  const wanted = fetched.flatMap((image) => {
    const { file_id, source_url } = image
    if (files.has(file_id)) return []
    files.add(file_id)
    const known =
      take((each) => each.source_url === source_url) ?? take((each) => each.file_id === file_id)
    return [{ image, known }]
  })
  const room = maxImages - before.length
  const newOnes = wanted.flatMap(({ image, known }) => (known ? [] : [image]))
  const refused = newOnes.slice(room)
  const placed = wanted.filter(({ image }) => !refused.includes(image))
  const first = placed.flatMap(({ image: { alt, source_url }, known }, index) =>
    known ? [{ ...known, source_url, alt: alt || known.alt, position: index + 1 }] : [],
  )
  const last = Array.from(unplaced, (image, index) => ({
    ...image,
    position: placed.length + index + 1,
  }))
  const stored = new Map(before.map((image) => [image.id, image]))
  return {
    arranged: [...first, ...last].filter(
      (image) => !isUnchanged(stored.get(image.id) ?? image, image),
    ),
    added: placed.flatMap(({ image, known }, index) =>
      known ? [] : [{ image, position: index + 1 }],
    ),
    refused,
  }
}
