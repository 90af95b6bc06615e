import { anyUser, privateCache } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { read } from '#http/declare/route.ts'
import type { userDataInclude } from '#shop/accounts/users/actions.ts'
import { registerLink } from '#shop/accounts/users/register-link.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { Profile } from './schema.ts'

const profileResource = (data: ReturnType<typeof userDataInclude>) =>
  singleton({
    name: 'profile',
    description: 'The user who is calling.',
    path: '/profile',
    schema: Profile,
    load: async ({ db, actor }) => {
      const user = await findUser(db, actor.userId ?? 0)
      return user && { ...user, session_id: actor.credential?.sessionId ?? null }
    },
    isGone: ({ deleted_at }) => deleted_at !== null,
    pathParams: ({ id }) => ({ id }),
    // The `logout` link names the session of the credential.
    revision: ({ revision, session_id }) =>
      session_id === null ? revision : `${revision}.${session_id}`,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    owner: ({ id }) => id,
    present: (row, { actor }) => ({ ...row, scope: [...actor.scopes].join(' ') }),
    computedIncludes: { data },
    links: {
      user: { to: 'user' },
      orders: { to: 'user_orders' },
      cart: { to: 'cart' },
      addresses: { to: 'addresses' },
      sessions: { to: 'sessions' },
      oauth_consents: { to: 'oauth_consents' },
      logout: {
        to: 'session',
        operation: 'remove',
        params: ({ session_id }) => ({ sessionId: session_id ?? 0 }),
        when: ({ session_id }) => session_id !== null,
      },
      register: registerLink,
      erasure: { to: 'erasure', operation: 'create' },
    },
  })

/** The route of the caller's own profile. */
export const profileRoutes = (data: ReturnType<typeof userDataInclude>) => [
  read(profileResource(data), {
    summary: 'Reads the profile of the caller.',
    access: anyUser('users:read'),
    rateLimit: 'default',
    cache: privateCache,
  }),
]
