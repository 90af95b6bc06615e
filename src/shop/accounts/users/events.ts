import { entityEvents } from '#shop/events/entity-events.ts'
import { presentUser } from './rules.ts'
import { User } from './schema.ts'
import type { UserRow } from './table.ts'

/** Creates an event about a user. */
export const userEvent = entityEvents<
  UserRow,
  'user.created' | 'user.updated' | 'user.deleted' | 'user.erased'
>({
  schema: User,
  present: presentUser,
  subject: ({ id }) => `/users/${id}`,
  userId: ({ id }) => id,
})
