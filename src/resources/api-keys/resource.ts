import type { Actor } from '#http/declare/caller.ts'
import { ownerOf, ownerOrSignedInAdmin, signedIn, unstored } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { create, created, list, read, remove } from '#http/declare/route.ts'
import type { ApiKeys } from '#resources/dependencies.ts'
import { buyerShownTo } from '#resources/purchases/rules.ts'
import { endKey, type IssuedApiKey, makeKey, rotateKey } from './actions.ts'
import { authorityOf } from './rules.ts'
import { ApiKey, ApiKeyBody, ApiKeyFilters, Rotation } from './schema.ts'
import * as store from './store.ts'

const isOwn = ({ user_id }: IssuedApiKey, { userId }: Actor): boolean => user_id === userId

const apiKey = item({
  name: 'api_key',
  description: 'A secret by which a program calls in the name of a user.',
  path: '/api-keys/:keyId',
  schema: ApiKey,
  load: ({ db }, { keyId }): Promise<IssuedApiKey | undefined> => store.findKey(db, keyId),
  isGone: ({ revoked_at }) => revoked_at !== null,
  pathParams: ({ id }) => ({ keyId: id }),
  // Its use changes what is told of it, and is no change that anybody could be in the way of.
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
      when: (key, { actor }) => isOwn(key, actor),
      body: () => ({ grace_seconds: 0 }),
    },
    delete: { to: 'api_key', operation: 'remove' },
  },
})

const apiKeys = collection({ name: 'api_keys', path: '/api-keys', item: apiKey })
const rotations = collection({
  name: 'api_key_rotations',
  path: '/api-keys/:keyId/rotations',
  item: apiKey,
})

/** API keys: made, read, replaced and revoked by their owners; administrators read and revoke. */
export const apiKeyRoutes = (keys: ApiKeys) => {
  const own = ownerOf(apiKey, 'keys:write')
  return [
    list(apiKeys, {
      summary: 'Pages through the API keys of the caller; for administrators, of everybody.',
      access: signedIn('keys:write'),
      rate: 'reads',
      cache: unstored,
      filters: ApiKeyFilters,
      sorts: ['id', 'name', 'created_at', 'updated_at'],
      problems: ['4031'],
      find: ({ db, actor }, { filters, page }) => {
        const user_id = buyerShownTo(actor, filters.user_id)
        return store.listKeys(db, user_id === undefined ? {} : { user_id }, page)
      },
    }),
    create(apiKeys, {
      summary: 'Makes an API key, which is shown this once.',
      access: signedIn('keys:write'),
      rate: 'writes',
      body: ApiKeyBody,
      problems: ['4012', '4031', '4033'],
      handle: async (ctx, { body }) => created(await makeKey(keys, ctx, body)),
    }),
    read(apiKey, { summary: 'Reads an API key.', access: own, rate: 'reads', cache: unstored }),
    remove(apiKey, {
      summary: 'Revokes an API key and those made with it, from the next request on.',
      access: ownerOrSignedInAdmin(apiKey, 'keys:write'),
      rate: 'writes',
      handle: (ctx, { current }) => endKey(ctx, current),
    }),
    create(rotations, {
      summary: 'Replaces the secret of an API key by another, which is shown this once.',
      access: own,
      rate: 'writes',
      body: Rotation,
      problems: ['4031', '4033', '4101'],
      handle: async (ctx, { params: { keyId }, body: { grace_seconds: graceSeconds = 0 } }) =>
        created(await rotateKey(keys, ctx, { keyId, graceSeconds })),
    }),
  ]
}
