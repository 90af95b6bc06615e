import { createMessage } from '#i18n/message.ts'
import { Problem } from '#values/problem.ts'

/** The media types of images that can be uploaded. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const
/** The media type of an image. */
export type ImageType = (typeof imageTypes)[number]

/** The largest image that is received or fetched, in bytes. */
export const maxImageBytes = 10 * 1024 * 1024

/** Returns the type of an image by its content; throws 415/4151 for any other content. */
export async function requireImageType(bytes: Buffer): Promise<ImageType> {
  // Loaded only for the first upload.
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = await fileTypeFromBuffer(bytes).then(
    (found) => found?.mime,
    () => undefined,
  )
  // An animated PNG is a PNG of which every reader shows at least the first frame.
  const type = imageTypes.find((each) => each === mime || (each === 'image/png' && isApng(mime)))
  if (type) return type
  throw new Problem(
    '4151',
    createMessage('detail.media_type', { supported: imageTypes.join(', ') }),
  )
}

const isApng = (mime: string | undefined): boolean => mime === 'image/apng'
