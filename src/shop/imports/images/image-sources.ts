import { isObject } from '../file/columns.ts'
import type { Fields } from '../formats/format.ts'

/** The field of a row that names the images of its product. */
export const imagesField = 'image_urls'

/** An image that a file names by its URL. */
export interface ImageSource {
  readonly url: string
  /** What it shows; empty where the file does not say. */
  readonly alt: string
  /** Where the file names it, if that is not in the row of the product. */
  readonly line?: number
  readonly record?: number
}

/** What stands between URLs in a text. */
const separator = /[\s,;|]+(?=https?:)/i

/** Returns the URLs of a text. */
export const urlsOf = (text: string): readonly string[] =>
  text
    .trim()
    .split(separator)
    .filter((url) => url !== '')

function sourcesIn(value: unknown): readonly ImageSource[] {
  if (typeof value === 'string') return urlsOf(value).map((url) => ({ url, alt: '' }))
  if (Array.isArray(value)) return value.flatMap(sourcesIn)
  if (!isObject(value)) return value === null ? [] : [{ url: JSON.stringify(value), alt: '' }]
  const { url, alt, line, record } = value
  const isPlaced = Number.isSafeInteger(line) && Number.isSafeInteger(record)
  const place = isPlaced ? { line: Number(line), record: Number(record) } : {}
  return [{ ...place, url: String(url).trim(), alt: typeof alt === 'string' ? alt : '' }]
}

/** Returns the images that a row names, each URL once. */
export function imageSourcesOf(fields: Fields): readonly ImageSource[] {
  const sources = new Map<string, ImageSource>()
  for (const source of sourcesIn(fields[imagesField] ?? null)) {
    if (source.url !== '' && !sources.has(source.url)) sources.set(source.url, source)
  }
  return Array.from(sources.values())
}
