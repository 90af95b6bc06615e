import type { Context } from '#http/declare/context.ts'
import { anyUser, optionalAuthentication, ownerOrAdmin, publicCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove } from '#http/declare/route.ts'
import { reviewedProductId } from '#shop/catalogue/products/rules.ts'
import { requireVisibleProduct } from '#shop/catalogue/products/store.ts'
import { changeReview, createReview, removeReview } from './actions.ts'
import {
  isVisible,
  presentReview,
  reviewsCacheTag,
  sharedReviewsCacheTag,
  visibleHiddenReviews,
} from './rules.ts'
import { Review, ReviewBody, ReviewFilters, ReviewPatch } from './schema.ts'
import * as store from './store.ts'
import { type ReviewRow, reviews as storedReviews } from './table.ts'

const isAdmin = ({ actor }: Context): boolean => actor.role === 'admin'

const review = item({
  name: 'review',
  description: 'The review of a product by a user who bought it.',
  path: '/products/:productId/reviews/:reviewId',
  schema: Review,
  load: async (ctx, { productId, reviewId }): Promise<ReviewRow | undefined> => {
    const { db, actor } = ctx
    const product = await requireVisibleProduct(ctx, productId)
    const found = await storedReviews.find(db, { id: reviewId })
    // A variant has reviews of its own from the time before it was one.
    const isOfProduct =
      found?.product_id === product.id || found?.product_id === reviewedProductId(product)
    return isOfProduct && isVisible(found, visibleHiddenReviews(actor)) ? found : undefined
  },
  isGone: ({ deleted_at }) => deleted_at !== null,
  cacheTags: ({ product_id }) => [reviewsCacheTag(product_id)],
  pathParams: ({ product_id, id }) => ({ productId: product_id, reviewId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ user_id }) => user_id,
  present: presentReview,
  links: {
    product: { to: 'product' },
    reviews: { to: 'reviews' },
    edit: { to: 'review', operation: 'modify' },
    delete: { to: 'review', operation: 'remove' },
    hide: {
      to: 'review',
      operation: 'modify',
      when: ({ status }, ctx) => status === 'published' && isAdmin(ctx),
      body: () => ({ status: 'hidden' }),
    },
    publish: {
      to: 'review',
      operation: 'modify',
      when: ({ status }, ctx) => status === 'hidden' && isAdmin(ctx),
      body: () => ({ status: 'published' }),
    },
  },
})

const reviews = collection({ name: 'reviews', path: '/products/:productId/reviews', item: review })

const readPolicy = {
  access: optionalAuthentication,
  rateLimit: 'default',
  cache: publicCache,
} as const
const changePolicy = {
  access: ownerOrAdmin(review, 'reviews:write'),
  rateLimit: 'default',
} as const

/** The operations on reviews: public reads, and one review by each buyer of a product. */
export const reviewRoutes = () => [
  list(reviews, {
    summary: 'Lists the reviews of a product.',
    ...readPolicy,
    filters: ReviewFilters,
    sortFields: ['id', 'rating'],
    problems: ['4041', '4101'],
    cacheTags: ({ params }) => [reviewsCacheTag(params.productId), sharedReviewsCacheTag],
    find: async (ctx, { params, filters, page }) => {
      const { db, actor } = ctx
      const productId = reviewedProductId(await requireVisibleProduct(ctx, params.productId))
      const hidden = visibleHiddenReviews(actor)
      return store.listReviews(db, { productId, hidden }, filters, page)
    },
  }),
  create(reviews, {
    summary: 'Creates a review of a product that the caller has bought.',
    description: 'Guests have to register first.',
    access: anyUser('reviews:write'),
    rateLimit: 'default',
    body: ReviewBody,
    problems: ['4031', '4041', '4092', '4101'],
    handle: async (ctx, { params: { productId }, body }) =>
      created(await createReview(ctx, productId, body)),
  }),
  read(review, { summary: 'Reads a review of a product.', ...readPolicy, problems: ['4101'] }),
  modify(review, {
    summary: 'Changes some fields of a review; only administrators hide and publish it.',
    ...changePolicy,
    body: ReviewPatch,
    handle: (ctx, { current, body }) => changeReview(ctx, current, body),
  }),
  remove(review, {
    summary: 'Removes a review.',
    ...changePolicy,
    problems: ['4101'],
    handle: (ctx, { current }) => removeReview(ctx, current),
  }),
]
