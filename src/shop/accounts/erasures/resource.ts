import { anyUser, noStore } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { accepted } from '#http/declare/results.ts'
import { create, read, remove } from '#http/declare/route.ts'
import { textHash } from '#values/text-hash.ts'
import { cancelErasure, type ErasureParts, requestErasure } from './actions.ts'
import { Erasure, ErasureBody } from './schema.ts'
import { erasures } from './table.ts'

const erasure = singleton({
  name: 'erasure',
  description: 'The scheduled erasure of the caller.',
  path: '/user/delete',
  schema: Erasure,
  load: ({ db, actor }) => erasures.find(db, { user_id: actor.userId ?? 0, erased_at: null }),
  pathParams: () => ({}),
  // An erasure can be withdrawn and requested again, with another reason, in one millisecond.
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
      when: ({ erase_at, created_at, user_id }, { actor }) =>
        erase_at > created_at && actor.userId === user_id,
    },
    user: {
      to: 'user',
      params: ({ user_id }) => ({ id: user_id }),
      when: ({ erase_at, created_at }) => erase_at > created_at,
    },
  },
})

/** The routes that request, read and withdraw the erasure of the caller. */
export const erasureRoutes = (parts: ErasureParts) => [
  create(erasure, {
    operationId: 'requestErasure',
    summary: 'Requests the erasure of the account and the personal data of the caller.',
    access: anyUser('users:write'),
    rateLimit: 'default',
    body: ErasureBody,
    statuses: [202],
    passwordFields: ['current_password', 'password'],
    needsFreshSignIn: () => true,
    problems: ['4031', '4091', '4291'],
    handle: async (ctx, { body }) => accepted(await requestErasure(parts, ctx, body)),
  }),
  read(erasure, {
    summary: 'Reads the scheduled erasure of the caller.',
    access: anyUser('users:read'),
    rateLimit: 'default',
    cache: noStore,
  }),
  remove(erasure, {
    operationId: 'withdrawErasure',
    summary: 'Withdraws the erasure of the caller.',
    access: anyUser('users:write'),
    rateLimit: 'default',
    handle: ({ db, auditActor }, { current }) => cancelErasure(db, current.user_id, auditActor()),
  }),
]
