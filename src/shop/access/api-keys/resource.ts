import type { Actor } from '#http/declare/actor.ts'
import {
  type AccessPolicy,
  anyUser,
  noStore,
  ownerOrAdmin,
  ownerOrFullySignedInAdmin,
} from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove } from '#http/declare/route.ts'
import { freshlySignedIn, visibleUserId } from '#shop/accounts/users/access.ts'
import {
  changeKey,
  createKey,
  type IssuedApiKey,
  loadKey,
  revokeKey,
  rotateKey,
  withRotatable,
} from './actions.ts'
import { authorityOf, maxKeys } from './rules.ts'
import { ApiKey, ApiKeyBody, ApiKeyFilters, ApiKeyPatch, Rotation } from './schema.ts'
import * as store from './store.ts'

const isOwn = ({ user_id }: IssuedApiKey, { userId }: Actor): boolean => user_id === userId

const apiKey = item({
  name: 'api_key',
  description: 'A secret with which a program acts as a user.',
  path: '/api-keys/:keyId',
  schema: ApiKey,
  load: (ctx, { keyId }): Promise<IssuedApiKey | undefined> => loadKey(ctx, keyId),
  isGone: ({ revoked_at }) => revoked_at !== null,
  pathParams: ({ id }) => ({ keyId: id }),
  // `last_used_at` is in the representation, but using a key does not increment its revision.
  revision: ({ revision, last_used_at }) => `${revision}.${last_used_at ?? 0}`,
  changedAt: ({ created_at, updated_at, last_used_at }) => [
    created_at,
    updated_at,
    ...(last_used_at === null ? [] : [last_used_at]),
  ],
  owner: ({ user_id }) => user_id,
  authority: authorityOf,
  present: (key) => key,
  links: {
    user: { to: 'user', params: ({ user_id }) => ({ id: user_id }) },
    rotate: {
      to: 'api_key_rotations',
      operation: 'create',
      when: (key, { actor }) => isOwn(key, actor) && key.is_rotatable,
      body: () => ({ grace_seconds: 0 }),
    },
    edit: { to: 'api_key', operation: 'modify' },
    delete: { to: 'api_key', operation: 'remove' },
  },
})

const apiKeys = collection({ name: 'api_keys', path: '/api-keys', item: apiKey })
const rotations = collection({
  name: 'api_key_rotations',
  path: '/api-keys/:keyId/rotations',
  item: apiKey,
})

/** The routes of API keys, for their owners; administrators can read and revoke them. */
export const apiKeyRoutes = () => {
  const own = ownerOrAdmin(apiKey, 'keys:write')
  return [
    list(apiKeys, {
      summary: 'Lists the API keys of the caller or, for administrators, of all users.',
      access: anyUser('keys:write'),
      rateLimit: 'default',
      cache: noStore,
      filters: ApiKeyFilters,
      sortFields: ['id', 'name'],
      problems: ['4031'],
      find: async (ctx, { filters, page }) => {
        const user_id = visibleUserId(ctx.actor, filters.user_id)
        const found = await store.listKeys(ctx.db, user_id === undefined ? {} : { user_id }, page)
        return { ...found, rows: await withRotatable(ctx, found.rows) }
      },
    }),
    create(apiKeys, {
      summary: 'Creates an API key, which only this response shows.',
      description: `Send it as \`Authorization: Api-Key cw_…\`. A user may have ${maxKeys} keys.`,
      access: anyUser('keys:write'),
      rateLimit: 'default',
      ...freshlySignedIn,
      body: ApiKeyBody,
      problems: ['4031', '4033', '4091'],
      handle: async (ctx, { body }) => created(await createKey(ctx, body)),
    }),
    read(apiKey, {
      summary: 'Reads an API key.',
      access: own,
      rateLimit: 'default',
      cache: noStore,
    }),
    modify(apiKey, {
      summary: 'Changes the name of an API key, or its rate limit, which only administrators set.',
      access: ownerOrFullySignedInAdmin(apiKey, 'keys:write'),
      rateLimit: 'default',
      body: ApiKeyPatch,
      keepsAuthority: true,
      handle: (ctx, { current, body }) => changeKey(ctx, current, body),
    }),
    remove(apiKey, {
      operationId: 'revokeApiKey',
      summary: 'Revokes an API key and all keys created with it, from the next request on.',
      access: ownerOrFullySignedInAdmin(apiKey, 'keys:write'),
      rateLimit: 'default',
      handle: (ctx, { current }) => revokeKey(ctx, current),
    }),
    rotationRoute(own),
  ]
}

const rotationRoute = (own: AccessPolicy) =>
  create(rotations, {
    operationId: 'rotateApiKey',
    summary: 'Replaces the secret of an API key; only this response shows the new one.',
    access: own,
    rateLimit: 'default',
    ...freshlySignedIn,
    body: Rotation,
    problems: ['4031', '4033', '4101'],
    handle: async (ctx, { params: { keyId }, body: { grace_seconds: graceSeconds = 0 } }) =>
      created(await rotateKey(ctx, { keyId, graceSeconds })),
  })
