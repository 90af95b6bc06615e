import type Sharp from 'sharp'
import { createMessage, type Message } from '#i18n/message.ts'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import { fieldProblem, Problem } from '#values/problem.ts'
import type { ImageType } from './image-type.ts'
import type { FileStorage, StoredObject } from './storage.ts'

/** The widths in which every image is served, in pixels; a narrower image is not enlarged. */
export const imageWidths = [320, 640, 1280] as const
const [, , largestWidth] = imageWidths

/** An image in the forms to store. */
export interface RenderedImage {
  /** In pixels, as it is shown; null where it was not decoded. */
  readonly width: number | null
  readonly height: number | null
  /** The form that is kept. */
  readonly original: StoredObject
  /** The forms that are served by their widths; none where it was not decoded. */
  readonly derivatives: ReadonlyMap<number, StoredObject>
}

/** Scales images. */
export interface Scaler {
  /** False without the package `sharp`: images are then kept and served as they came. */
  readonly isAvailable: () => boolean
  /** Throws 422/4221 for an image that cannot be decoded, and 503/5031 for too many at once. */
  readonly render: (bytes: Buffer, type: ImageType) => Promise<RenderedImage>
}

/** Where images are kept, and what scales them. */
export interface FileParts {
  readonly storage: FileStorage
  readonly scaler: Scaler
}

const maxMegapixels = 100
// A WebP image has at most 16,383 pixels in each direction.
const maxHeightByWidth = 8
const timeoutSeconds = 30
// Each occupies a thread of the pool that file access and password hashes need as well.
const maxInFlight = 2
const maxWaiting = 32

const input = {
  limitInputPixels: maxMegapixels * 1_000_000,
  sequentialRead: true,
  failOn: 'error',
} as const

/** The format by which libvips names an image of a type. */
const formats: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
}

/** Creates a scaler, which loads `sharp` for the first image; `report` gets the error if that fails. */
export function createScaler(report: (error: unknown) => void): Scaler {
  let isAvailable = isSharpInstalled()
  let loading: Promise<typeof Sharp | undefined> | undefined
  const load = (): Promise<typeof Sharp | undefined> => {
    loading ??= loadSharp().catch((error: unknown) => {
      isAvailable = false
      report(error)
      return undefined
    })
    return loading
  }
  const runLimited = withLimitedConcurrency(maxInFlight, maxWaiting)
  return {
    isAvailable: () => isAvailable,
    render: async (bytes, type) => {
      const sharp = isAvailable ? await load() : undefined
      if (!sharp) {
        return { width: null, height: null, original: { bytes, type }, derivatives: new Map() }
      }
      return runLimited(() => render(sharp, bytes, type))
    },
  }
}

/** True if the optional package `sharp` is installed. */
export function isSharpInstalled(): boolean {
  try {
    import.meta.resolve('sharp')
    return true
  } catch {
    return false
  }
}

async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // libvips reads far more formats than are accepted here.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`),
  })
  return sharp
}

async function render(sharp: typeof Sharp, bytes: Buffer, type: ImageType): Promise<RenderedImage> {
  try {
    // Only the header is read, so that the limit can be reported apart.
    const header = await sharp(bytes, { ...input, limitInputPixels: false }).metadata()
    const { format, autoOrient, width, height, hasAlpha } = header
    if (format !== formats[type]) throw invalidImage(createMessage('image.undecodable'))
    requireFewPixels(width, height)
    const isPng = type === 'image/png' || hasAlpha
    const original = sharp(bytes, input).autoOrient().timeout({ seconds: timeoutSeconds })
    return {
      width: autoOrient.width,
      height: autoOrient.height,
      derivatives: await scale(sharp, bytes),
      original: isPng
        ? { type: 'image/png', bytes: await original.png({ compressionLevel: 3 }).toBuffer() }
        : { type: 'image/jpeg', bytes: await original.jpeg({ quality: 95 }).toBuffer() },
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw invalidImage(createMessage('image.undecodable'))
  }
}

/** Decodes once, into the largest width, from which the others are made. */
async function scale(
  sharp: typeof Sharp,
  bytes: Buffer,
): Promise<ReadonlyMap<number, StoredObject>> {
  const fit = (width: number) =>
    ({ width, height: maxHeightByWidth * width, fit: 'inside', withoutEnlargement: true }) as const
  const { data, info } = await sharp(bytes, input)
    .autoOrient()
    .resize(fit(largestWidth))
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .timeout({ seconds: timeoutSeconds })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const derivatives = new Map<number, StoredObject>()
  for (const each of imageWidths) {
    const scaled = sharp(data, { raw: { width, height, channels } }).resize(fit(each))
    derivatives.set(each, {
      type: 'image/webp',
      bytes: await scaled.webp({ quality: 80 }).toBuffer(),
    })
  }
  return derivatives
}

function requireFewPixels(width: number, height: number): void {
  if (width * height <= input.limitInputPixels) return
  throw invalidImage(createMessage('image.too_large', { limit: maxMegapixels }))
}

const invalidImage = (message: Message): Problem => fieldProblem([{ field: 'file', message }])
