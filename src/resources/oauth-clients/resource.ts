import { adminOnly, signedInAdmin, unstored } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { create, created, list, modify, read, remove, replace } from '#http/declare/route.ts'
import {
  changeClient,
  type IssuedOauthClient,
  registerClient,
  removeClient,
  rotateSecret,
} from './actions.ts'
import {
  authorityOf,
  describeClient,
  presentClient,
  requireSecureRedirects,
  reviseClient,
} from './rules.ts'
import {
  OauthClient,
  OauthClientBody,
  OauthClientFilters,
  OauthClientPatch,
  SecretRotation,
} from './schema.ts'
import * as store from './store.ts'

const client = item({
  name: 'oauth_client',
  description: 'An application that may ask for tokens; fields as in RFC 7591.',
  path: '/oauth-clients/:oauthClientId',
  schema: OauthClient,
  load: ({ db }, { oauthClientId }): Promise<IssuedOauthClient | undefined> =>
    store.findClient(db, oauthClientId),
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

const reading = { access: adminOnly('keys:write'), rate: 'reads', cache: unstored } as const
// A client outlives the credential that registers it, so a narrow one registers none.
const writing = { access: signedInAdmin('keys:write'), rate: 'writes', problems: ['4031'] } as const

/** The applications that may ask for tokens, kept by administrators of the server at `issuer`. */
export const oauthClientRoutes = (issuer: string) => [
  list(clients, {
    summary: 'Pages through the registered clients.',
    ...reading,
    filters: OauthClientFilters,
    sorts: ['id', 'client_name', 'created_at'],
    find: ({ db }, { filters, page }) => store.listClients(db, filters, page),
  }),
  create(clients, {
    summary: 'Registers a client; its secret is shown in this answer and never again.',
    ...writing,
    body: OauthClientBody,
    handle: async (ctx, { body }) => {
      const state = requireSecureRedirects(describeClient(body, ctx.actor.userId), issuer)
      return created(await registerClient(ctx, state))
    },
  }),
  read(client, { summary: 'Reads the registration of a client.', ...reading }),
  replace(client, {
    summary: 'Replaces the registration of a client; it stays who it is, and keeps its secret.',
    ...writing,
    body: OauthClientBody,
    handle: (ctx, { current, body }) => {
      const state = describeClient(body, current.user_id)
      return changeClient(ctx, current, requireSecureRedirects(state, issuer))
    },
  }),
  modify(client, {
    summary: 'Changes some fields of a registration.',
    ...writing,
    body: OauthClientPatch,
    handle: (ctx, { current, body }) =>
      changeClient(ctx, current, requireSecureRedirects(reviseClient(current, body), issuer)),
  }),
  remove(client, {
    summary: 'Removes a client; every token that it was issued dies with it.',
    ...writing,
    handle: (ctx, { current }) => removeClient(ctx, current),
  }),
  create(rotations, {
    summary: 'Replaces the secret of a client by another, which is shown this once.',
    ...writing,
    body: SecretRotation,
    problems: ['4031', '4041', '4091', '4101'],
    handle: async (ctx, { params: { oauthClientId }, body: { grace_seconds: graceSeconds = 0 } }) =>
      created(await rotateSecret(ctx, { oauthClientId, graceSeconds })),
  }),
]
