import { Type } from 'typebox'
import {
  Id,
  mergePatch,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'

const fields = {
  rating: Type.Integer({
    minimum: 1,
    maximum: 5,
    description: 'From 1 (bad) to 5 (good).',
    examples: [5],
  }),
  title: nullable(
    Type.String({
      maxLength: 200,
      description: 'A summary of the review.',
      examples: ['Keeps its promise'],
    }),
  ),
  body: nullable(
    Type.String({
      maxLength: 10_000,
      description: 'The text of the review.',
      examples: ['Boils in four minutes, and pours without a drop.'],
    }),
  ),
}

const status = stringEnum(['published', 'hidden'], {
  description:
    'A hidden review does not count in the rating, and only its author and administrators see it.',
  examples: ['published'],
})

/** A review in responses. */
export const Review = Type.Object({
  id: Id(),
  product_id: Id(),
  user_id: nullable(Id('The ID of the author; null once that user is erased.')),
  author: nullable(
    Type.String({
      description:
        'The name of the author at the time of the review; null once the user is erased.',
      examples: ['Ada Lovelace'],
    }),
  ),
  ...fields,
  verified_purchase: Type.Boolean({ description: 'Whether the author has bought the product.' }),
  status,
  ...timestamps,
})

/** The body of POST. */
export const ReviewBody = requestBody(
  {
    rating: fields.rating,
    title: Type.Optional(fields.title),
    body: Type.Optional(fields.body),
  },
  Review,
)
export type ReviewBody = ValueOf<typeof ReviewBody>

/** The body of PATCH; only administrators change the status. */
export const ReviewPatch = mergePatch(requestBody({ ...fields, status }, Review))
export type ReviewPatch = ValueOf<typeof ReviewPatch>

/** The filters of the review list. */
export const ReviewFilters = Type.Object({
  rating: Type.Optional(fields.rating),
  user_id: Type.Optional(Id('Only reviews by this user.')),
})
export type ReviewFilters = ValueOf<typeof ReviewFilters>
