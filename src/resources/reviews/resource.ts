import { anyUser, optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { create, created, list, read } from '#http/declare/route.ts'
import { addRatingToProduct, requireProduct } from '#resources/products/store.ts'
import { presentReview, requireReviewable, reviewsCacheTag } from './rules.ts'
import { Review, ReviewBody, ReviewFilters } from './schema.ts'
import * as store from './store.ts'

const review = item({
  name: 'review',
  description: 'The review of a product by a user who bought it.',
  path: '/products/:productId/reviews/:reviewId',
  schema: Review,
  load: async ({ db }, { productId, reviewId }) => {
    await requireProduct(db, productId)
    return store.findReview(db, productId, reviewId)
  },
  cacheTags: ({ product_id }) => [reviewsCacheTag(product_id)],
  pathParams: ({ product_id, id }) => ({ productId: product_id, reviewId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ user_id }) => user_id,
  present: presentReview,
  links: {
    product: { to: 'product' },
    reviews: { to: 'reviews' },
  },
})

const reviews = collection({ name: 'reviews', path: '/products/:productId/reviews', item: review })

/** The operations on reviews: public reads, and one review by each buyer of a product. */
export const reviewRoutes = () => [
  list(reviews, {
    summary: 'Lists the reviews of a product.',
    access: optionalAuthentication,
    rateLimit: 'reads',
    cache: publicCache,
    filters: ReviewFilters,
    sortFields: ['id', 'rating', 'created_at'],
    problems: ['4041', '4101'],
    cacheTags: ({ params }) => [reviewsCacheTag(params.productId)],
    find: async ({ db }, { params, filters, page }) => {
      await requireProduct(db, params.productId)
      return store.listReviews(db, params.productId, filters, page)
    },
  }),
  create(reviews, {
    summary: 'Creates a review of a product that the caller has bought.',
    access: anyUser('reviews:write'),
    rateLimit: 'writes',
    body: ReviewBody,
    problems: ['4031', '4041', '4092', '4101'],
    handle: async ({ db, now, actor }, { params: { productId }, body }) => {
      const userId = actor.userId ?? 0
      await requireProduct(db, productId)
      const { author, ...purchaseAndReview } = await store.findPurchaseAndReview(
        db,
        productId,
        userId,
      )
      requireReviewable(purchaseAndReview)
      const reviewOrigin = { product_id: productId, user_id: userId, author }
      const row = await store.insertReview(db, reviewOrigin, body, now)
      await addRatingToProduct(db, productId, body.rating, now)
      return created(row)
    },
  }),
  read(review, {
    summary: 'Reads a review of a product.',
    access: optionalAuthentication,
    rateLimit: 'reads',
    cache: publicCache,
    problems: ['4101'],
  }),
]
