import { Type } from 'typebox'
import { Id, mergePatch, nullable, requestBody, timestamps, type ValueOf } from '#schema/words.ts'

/** The largest number of images of a product. */
export const maxImages = 50

const alt = Type.String({
  maxLength: 500,
  default: '',
  description: 'What the image shows, for those who cannot see it.',
  examples: ['A blue kettle'],
})
const position = Type.Integer({
  minimum: 1,
  maximum: maxImages,
  description: 'The place among the images of the product, from 1.',
  examples: [1],
})
const pixels = (description: string) =>
  nullable(Type.Integer({ minimum: 1, description, examples: [1280] }))
const url = Type.String({ format: 'uri', description: 'A URL of the image.' })

const fields = {
  id: Id(),
  alt,
  position,
  width: pixels('The width of the original in pixels; null where images are not scaled.'),
  height: pixels('The height of the original in pixels; null where images are not scaled.'),
  urls: Type.Object(
    { '320': url, '640': url, '1280': url },
    {
      component: 'ImageUrls',
      description: 'The URLs by the largest width of the image there, in pixels.',
    },
  ),
}

/** An image as a part of its product. */
export const ProductImage = Type.Object(fields, { component: 'ProductImage' })

/** An image in responses. */
export const Image = Type.Object({
  ...fields,
  product_id: Id(),
  ...timestamps,
})

/** The body of PATCH; a position beyond the last means the last. */
export const ImagePatch = mergePatch(
  requestBody({ alt: Type.Optional(alt), position: Type.Optional(position) }, Image),
)
export type ImagePatch = ValueOf<typeof ImagePatch>

/** The fields of an upload beside the file. */
export const ImageUpload = Type.Object({ alt: Type.Optional(alt) }, { additionalProperties: false })
export type ImageUpload = ValueOf<typeof ImageUpload>
