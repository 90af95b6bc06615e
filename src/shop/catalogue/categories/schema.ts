import { Type } from 'typebox'

/** A category in responses. */
export const Category = Type.Object({
  name: Type.String({ description: 'The name of the category.', examples: ['kitchen'] }),
  product_count: Type.Integer({
    description: 'The number of products that the list of its products has.',
    examples: [12],
  }),
})
