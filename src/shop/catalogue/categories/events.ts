import { entityEvents } from '#shop/events/entity-events.ts'
import type { CategoryRow } from './store.ts'
import { categories } from './table.ts'

/** Creates an event about a category; one that only products name is not for the public, which may not see these. */
export const categoryEvent = entityEvents<
  CategoryRow,
  'category.created' | 'category.updated' | 'category.deleted'
>({
  schema: categories.schema,
  present: (category) => category,
  subject: ({ id }) => `/categories/${id}`,
  audience: ({ implied }) => (implied ? 'managers' : null),
})
