import { compileCodec } from '#http/codec/codec.ts'
import { type MultipartForm, readMultipart, requireOneFile } from '#http/codec/multipart.ts'
import type { CodecOptions } from '#http/codec/value-codec.ts'
import type { Context } from '#http/declare/context.ts'
import {
  adminOnly,
  immutableCache,
  noAuthentication,
  optionalAuthentication,
  publicCache,
} from '#http/declare/policy.ts'
import { collection, files, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { download, list, modify, read, remove } from '#http/declare/route.ts'
import { upload } from '#http/declare/upload.ts'
import type { UploadedBody } from '#http/declare/uploaded-body.ts'
import { NoFilters } from '#schema/words.ts'
import { productCacheTag } from '#shop/catalogue/products/rules.ts'
import {
  lockProduct,
  requireProduct,
  requireVisibleProduct,
} from '#shop/catalogue/products/store.ts'
import type { Shop } from '#shop/shop.ts'
import { imageTypes, maxImageBytes } from '#src/files/image-type.ts'
import type { FileParts } from '#src/files/scale.ts'
import { type FieldIssue, fieldProblem, problem } from '#values/problem.ts'
import { addImage, changeImage, removeImage, requireRoomForImage } from './actions.ts'
import { readImage, storeImage } from './files.ts'
import { filesPath, presentImage } from './rules.ts'
import { Image, ImagePatch, ImageUpload } from './schema.ts'
import * as store from './store.ts'

/** What images are received and served with. */
export interface ImageParts extends FileParts {
  readonly shop: Shop
  /** The public URL of the server. */
  readonly issuer: string
}

// For what a form has beside the file.
const maxFormBytes = 64 * 1024
const formType = 'multipart/form-data'

const imageItem = (baseUrl: string) =>
  item({
    name: 'image',
    description: 'An image of a product.',
    path: '/products/:productId/images/:imageId',
    schema: Image,
    load: async (ctx, { productId, imageId }) => {
      await requireVisibleProduct(ctx, productId)
      return store.findImage(ctx.db, productId, imageId)
    },
    loadForUpdate: async ({ db }, { productId, imageId }) => {
      await lockProduct(db, productId)
      await requireProduct(db, productId)
      return store.findImage(db, productId, imageId)
    },
    pathParams: ({ product_id, id }) => ({ productId: product_id, imageId: id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    cacheTags: ({ product_id }) => [productCacheTag(product_id)],
    present: (image) => presentImage(image, baseUrl),
    links: {
      product: { to: 'product' },
      images: { to: 'images' },
      edit: { to: 'image', operation: 'modify' },
      delete: { to: 'image', operation: 'remove' },
    },
  })

const readPolicy = {
  access: optionalAuthentication,
  rateLimit: 'default',
  cache: publicCache,
  problems: ['4041', '4101'],
} as const
const access = adminOnly('files:write', 'products:write')
const changePolicy = { access, rateLimit: 'default', problems: ['4041', '4101'] } as const

/** The operations on the images of products, and the files that show them. */
export function imageRoutes(parts: ImageParts) {
  const { shop, issuer } = parts
  const image = imageItem(issuer)
  const images = collection({ name: 'images', path: '/products/:productId/images', item: image })
  const { currency } = shop
  const readUpload = uploadReader(shop)
  return [
    list(images, {
      summary: 'Lists the images of a product.',
      ...readPolicy,
      filters: NoFilters,
      sortFields: ['position', 'id'],
      cacheTags: ({ params }) => [productCacheTag(params.productId)],
      find: async (ctx, { params, page }) => {
        await requireVisibleProduct(ctx, params.productId)
        return store.listImages(ctx.db, params.productId, page)
      },
    }),
    upload(images, {
      summary: 'Adds an image as the last one of a product.',
      access,
      rateLimit: 'uploads',
      problems: ['4041', '4091', '4101', '4221'],
      mediaTypes,
      limitBytes: maxImageBytes + maxFormBytes,
      filters: NoFilters,
      receive: async (ctx, { params, body }) => {
        await requireRoomForImage(ctx.db, params.productId)
        const { bytes, alt = '' } = await readUpload(body)
        return { file_id: (await storeImage(parts, bytes, ctx)).id, alt }
      },
      handle: async ({ db, now }, { params, body }) =>
        created(await addImage({ db, now, currency }, params.productId, body)),
    }),
    read(image, { summary: 'Reads an image of a product.', ...readPolicy }),
    modify(image, {
      summary: 'Changes the text or the position of an image; the others make room.',
      ...changePolicy,
      body: ImagePatch,
      handle: ({ db, now }, { current, body }) => changeImage({ db, now, currency }, current, body),
    }),
    remove(image, {
      summary: 'Removes an image of a product; the others move up.',
      ...changePolicy,
      handle: ({ db, now }, { current }) => removeImage({ db, now, currency }, current),
    }),
    fileRoute(parts),
  ]
}

const fileRoute = (parts: FileParts) =>
  download(
    files({
      name: 'image_file',
      description: 'An image in a width, as its `urls` name it.',
      path: `${filesPath}/:fileName`,
      mediaType: 'image/webp',
    }),
    {
      summary: 'Returns an image, which never changes at its URL.',
      access: noAuthentication,
      // A page shows many; without a limit of its own, an unknown name still counts as a problem.
      rateLimit: 'problems',
      cache: immutableCache,
      find: ({ db }: Context, { params }) => readImage(parts, db, params.fileName),
    },
  )

const binary = { type: 'string', format: 'binary' }
// The form is first: generators make their function for the first type.
const mediaTypes = {
  [formType]: {
    type: 'object',
    required: ['file'],
    properties: {
      file: { ...binary, description: 'The image.' },
      alt: { type: 'string', maxLength: 500, description: 'What the image shows.' },
    },
  },
  ...Object.fromEntries(imageTypes.map((type) => [type, binary])),
}

/** Compiles the reader of uploads. It throws 400/4001, 413/4131 and 422/4221. */
function uploadReader(codecOptions: CodecOptions) {
  const { decode } = compileCodec(ImageUpload, codecOptions)
  const readFields = ({ fields }: MultipartForm): ImageUpload => {
    const issues: FieldIssue[] = []
    const values = decode(fields, '', issues)
    if (issues.length > 0) throw fieldProblem(issues)
    return values as ImageUpload
  }
  return async (body: UploadedBody): Promise<ImageUpload & { readonly bytes: Buffer }> => {
    if (body.mediaType !== formType) {
      const chunks = await Array.fromAsync(body.content)
      return { bytes: requireBounded(Buffer.concat(chunks)) }
    }
    const form = await readMultipart(body)
    const bytes = requireBounded(requireOneFile(form, 'file'))
    return { ...readFields(form), bytes }
  }
}

function requireBounded(bytes: Buffer): Buffer {
  if (bytes.length <= maxImageBytes) return bytes
  throw problem('4131', 'detail.body_limit', { limit: maxImageBytes })
}
