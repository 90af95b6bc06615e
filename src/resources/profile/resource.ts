import type { Actor } from '#kernel/actor.ts'
import { singleton } from '#kernel/noun.ts'
import { personal, signedIn } from '#kernel/policy.ts'
import { read } from '#kernel/verb.ts'
import { findUser } from '../users/store.ts'
import { Profile } from './schema.ts'

const scopeOf = ({ scopes }: Actor): string => [...scopes].join(' ')

const profile = singleton({
  name: 'profile',
  description: 'Who is calling.',
  path: '/profile',
  schema: Profile,
  load: ({ db, actor }) => findUser(db, actor.userId ?? 0),
  isGone: ({ deleted_at }) => deleted_at !== null,
  locate: ({ id }) => ({ id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ id }) => id,
  present: (row, { actor }) => ({ ...row, scope: scopeOf(actor) }),
  links: {
    user: { to: 'user' },
    orders: { to: 'user_orders' },
    cart: { to: 'cart' },
    erasure: { to: 'erasure', verb: 'create' },
  },
})

/** The caller's own profile. */
export const profileRoutes = () => [
  read(profile, {
    summary: 'Tells the caller who it is.',
    access: signedIn('users:read'),
    rate: 'reads',
    cache: personal,
  }),
]
