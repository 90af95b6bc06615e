import { Type } from 'typebox'
import { Id, nullable, stamps, type ValueOf, writable } from '#http/declare/schema.ts'

const fields = {
  rating: Type.Integer({
    minimum: 1,
    maximum: 5,
    description: 'From 1, bad, to 5, good.',
    examples: [5],
  }),
  title: nullable(
    Type.String({
      maxLength: 200,
      description: 'The review in a few words.',
      examples: ['Keeps its promise'],
    }),
  ),
  body: nullable(
    Type.String({
      maxLength: 10_000,
      description: 'The review at length.',
      examples: ['Boils in four minutes, and pours without a drop.'],
    }),
  ),
}

/** What somebody thinks of a product. */
export const Review = Type.Object({
  id: Id('Identifies the review.'),
  product_id: Id('The product reviewed.'),
  user_id: nullable(Id('Who wrote it; null once that user is erased.')),
  author: nullable(
    Type.String({
      description: 'The name of who wrote it, as it was then; null once erased.',
      examples: ['Ada Lovelace'],
    }),
  ),
  ...fields,
  verified_purchase: Type.Boolean({ description: 'Whether the author has bought the product.' }),
  ...stamps,
})

/** What POST takes. */
export const ReviewBody = writable(
  {
    rating: fields.rating,
    title: Type.Optional(fields.title),
    body: Type.Optional(fields.body),
  },
  Review,
)
export type ReviewBody = ValueOf<typeof ReviewBody>

/** What the reviews of a product can be filtered by. */
export const ReviewFilters = Type.Object({
  rating: Type.Optional(fields.rating),
  user_id: Type.Optional(Id('Only what this user wrote.')),
})
export type ReviewFilters = ValueOf<typeof ReviewFilters>
