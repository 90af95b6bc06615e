import { signedIn, unstored } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { accepted, create, read, remove } from '#http/declare/route.ts'
import type { Dependencies } from '#resources/dependencies.ts'
import { textHash } from '#values/text-hash.ts'
import { cancel, type ErasureOptions, provePassword, scheduleErasure } from './actions.ts'
import { Erasure, ErasureBody } from './schema.ts'
import { findErasure } from './store.ts'

const erasure = singleton({
  name: 'erasure',
  description: 'That the caller is to be erased.',
  path: '/user/delete',
  schema: Erasure,
  load: ({ db, actor }) => findErasure(db, actor.userId ?? 0),
  pathParams: () => ({}),
  // Whoever changes his mind may come back within the same millisecond, for another reason.
  revision: ({ created_at, reason }) => `${created_at}.${textHash(reason ?? '')}`,
  changedAt: ({ created_at }) => [created_at],
  owner: ({ user_id }) => user_id,
  present: ({ erase_at, reason, created_at }) => ({
    status: 'scheduled',
    erase_at,
    reason,
    created_at,
    updated_at: created_at,
  }),
  links: {
    withdraw: {
      to: 'erasure',
      operation: 'remove',
      when: ({ erase_at, created_at }) => erase_at > created_at,
    },
    user: {
      to: 'user',
      params: ({ user_id }) => ({ id: user_id }),
      when: ({ erase_at, created_at }) => erase_at > created_at,
    },
  },
})

/** Leaving the shop: asked for, thought over, and withdrawn or done. */
export const erasureRoutes = (
  dependencies: Pick<Dependencies, 'passwords' | 'loginThrottle'>,
  leaving: ErasureOptions,
) => [
  create(erasure, {
    summary: 'Asks that the account of the caller and its data be erased.',
    access: signedIn('users:write'),
    rate: 'writes',
    body: ErasureBody,
    statuses: [202],
    problems: ['4031', '4091', '4291'],
    prepareBody: (body, ctx) => provePassword(dependencies, ctx, body),
    handle: async (ctx, { body }) => accepted(await scheduleErasure(leaving, ctx, body)),
  }),
  read(erasure, {
    summary: 'Tells when the caller is to be erased.',
    access: signedIn('users:read'),
    rate: 'reads',
    cache: unstored,
  }),
  remove(erasure, {
    summary: 'Withdraws that the caller is to be erased.',
    access: signedIn('users:write'),
    rate: 'writes',
    handle: (ctx, { current }) => cancel(ctx, current),
  }),
]
