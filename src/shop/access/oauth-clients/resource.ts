import { adminOnly, fullySignedInAdmin, noStore } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { freshlySignedIn } from '#shop/accounts/users/access.ts'
import {
  type IssuedOauthClient,
  registerClient,
  removeClient,
  rotateSecret,
  updateClient,
} from './actions.ts'
import {
  authorityOf,
  createClientState,
  patchClientState,
  presentClient,
  requireSecureRedirects,
} from './rules.ts'
import {
  OauthClient,
  OauthClientBody,
  OauthClientFilters,
  OauthClientPatch,
  SecretRotation,
} from './schema.ts'
import * as store from './store.ts'
import { oauthClients } from './table.ts'

const client = item({
  name: 'oauth_client',
  description: 'An application that may request tokens; fields as in RFC 7591.',
  path: '/oauth-clients/:oauthClientId',
  schema: OauthClient,
  load: ({ db }, { oauthClientId }): Promise<IssuedOauthClient | undefined> =>
    oauthClients.find(db, { id: oauthClientId }),
  isGone: ({ deleted_at }) => deleted_at !== null,
  pathParams: ({ id }) => ({ oauthClientId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  authority: authorityOf,
  present: ({ secret, ...row }) => ({
    ...presentClient(row),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  }),
  links: {
    edit: { to: 'oauth_client', operation: 'replace' },
    rotate: {
      to: 'oauth_client_rotations',
      operation: 'create',
      when: ({ secret_hash, user_id }, { actor }) =>
        secret_hash !== null && (user_id === null || user_id === actor.userId),
      body: () => ({ grace_seconds: 0 }),
    },
    delete: { to: 'oauth_client', operation: 'remove' },
  },
})

const clients = collection({ name: 'oauth_clients', path: '/oauth-clients', item: client })

const rotations = collection({
  name: 'oauth_client_rotations',
  path: '/oauth-clients/:oauthClientId/rotations',
  item: client,
})

const readPolicy = {
  access: adminOnly('keys:write'),
  rateLimit: 'default',
  cache: noStore,
} as const
// A client outlives the credential that registers it, so writes require a full sign-in.
const writePolicy = {
  access: fullySignedInAdmin('keys:write'),
  rateLimit: 'default',
  problems: ['4031'],
} as const

const changePolicy = {
  ...writePolicy,
  description:
    'A change that lets the client do more needs a sign-in of the last ten minutes, or the password in `current_password`.',
  passwordFields: freshlySignedIn.passwordFields,
  problems: ['4031', '4091', '4101'],
} as const

/** The routes of OAuth clients, for administrators; `issuer` is the URL of this server. */
export const oauthClientRoutes = (issuer: string) => [
  list(clients, {
    summary: 'Lists the registered clients.',
    ...readPolicy,
    filters: OauthClientFilters,
    sortFields: ['id', 'client_name'],
    find: ({ db }, { filters, page }) => store.listClients(db, filters, page),
  }),
  create(clients, {
    operationId: 'registerOauthClient',
    summary: 'Registers a client, whose secret only this response shows.',
    ...writePolicy,
    ...freshlySignedIn,
    body: OauthClientBody,
    handle: async (ctx, { body }) => {
      const state = requireSecureRedirects(createClientState(body, ctx.actor.userId), issuer)
      return created(await registerClient(ctx, state))
    },
  }),
  read(client, { summary: 'Reads the registration of a client.', ...readPolicy }),
  replace(client, {
    summary: 'Replaces the registration of a client; client_id and secret stay.',
    ...changePolicy,
    body: OauthClientBody,
    handle: (ctx, { current, body }) => {
      const state = createClientState(body, current.user_id)
      return updateClient(ctx, current, requireSecureRedirects(state, issuer))
    },
  }),
  modify(client, {
    summary: 'Changes some fields of a client.',
    ...changePolicy,
    body: OauthClientPatch,
    handle: (ctx, { current, body }) =>
      updateClient(ctx, current, requireSecureRedirects(patchClientState(current, body), issuer)),
  }),
  remove(client, {
    summary: 'Removes a client and revokes every token issued to it.',
    ...writePolicy,
    handle: (ctx, { current }) => removeClient(ctx, current),
  }),
  create(rotations, {
    operationId: 'rotateOauthClientSecret',
    summary: 'Replaces the secret of a client; only this response shows the new one.',
    ...writePolicy,
    ...freshlySignedIn,
    body: SecretRotation,
    problems: ['4031', '4041', '4091', '4101'],
    handle: async (ctx, { params: { oauthClientId }, body: { grace_seconds: graceSeconds = 0 } }) =>
      created(await rotateSecret(ctx, { oauthClientId, graceSeconds })),
  }),
]
