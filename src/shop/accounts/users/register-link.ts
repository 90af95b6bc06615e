import type { Link } from '#http/declare/resource.ts'
import { defaultGuestName } from './rules.ts'
import type { UserRow } from './table.ts'

/** The link by which guests become customers. */
export const registerLink: Link<UserRow> = {
  to: 'user',
  operation: 'modify',
  when: ({ id, role }, { actor }) => role === 'guest' && actor.userId === id,
  body: ({ name, email }) => ({
    name: name === defaultGuestName ? 'string' : name,
    username: email ?? 'string',
    password: 'string',
  }),
}
