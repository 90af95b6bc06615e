import type { Link } from '#http/declare/resource.ts'
import { namelessGuest } from './rules.ts'
import type { UserRow } from './table.ts'

/** The link by which guests become customers. */
export const registerLink: Link<UserRow> = {
  to: 'user',
  operation: 'modify',
  when: ({ id, role }, { actor }) => role === 'guest' && actor.userId === id,
  body: ({ name, email }) => ({
    name: name === namelessGuest ? 'string' : name,
    username: email ?? 'string',
    password: 'string',
  }),
}
