import { collection, item } from '#kernel/noun.ts'
import { adminOnly, signedInAdmin, unstored } from '#kernel/policy.ts'
import { create, created, list, modify, read, remove, replace } from '#kernel/verb.ts'
import { changeClient, registerClient, removeClient, type ToldClient } from './acts.ts'
import { authorityOf, describeClient, presentClient, reviseClient } from './rules.ts'
import { OauthClient, OauthClientBody, OauthClientFilters, OauthClientPatch } from './schema.ts'
import * as store from './store.ts'

const client = item({
  name: 'oauth_client',
  description: 'An application that may ask for tokens; fields as in RFC 7591.',
  path: '/oauth-clients/:oauthClientId',
  schema: OauthClient,
  load: ({ db }, { oauthClientId }): Promise<ToldClient | undefined> =>
    store.findClient(db, oauthClientId),
  isGone: ({ deleted_at }) => deleted_at !== null,
  locate: ({ id }) => ({ oauthClientId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  authority: authorityOf,
  present: ({ secret, ...row }) => ({
    ...presentClient(row),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  }),
  links: {
    edit: { to: 'oauth_client', verb: 'replace' },
    delete: { to: 'oauth_client', verb: 'remove' },
  },
})

const clients = collection({ name: 'oauth_clients', path: '/oauth-clients', item: client })

const reading = { access: adminOnly('keys:write'), rate: 'reads', cache: unstored } as const
// A client outlives the credential that registers it, so a narrow one registers none.
const writing = { access: signedInAdmin('keys:write'), rate: 'writes', refusals: ['4031'] } as const

/** The applications that may ask for tokens, kept by administrators. */
export const oauthClientRoutes = () => [
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
    handle: async (ctx, { body }) =>
      created(await registerClient(ctx, describeClient(body, ctx.actor.userId))),
  }),
  read(client, { summary: 'Reads the registration of a client.', ...reading }),
  replace(client, {
    summary: 'Replaces the registration of a client; it stays who it is, and keeps its secret.',
    ...writing,
    body: OauthClientBody,
    handle: (ctx, { current, body }) =>
      changeClient(ctx, current, describeClient(body, current.user_id)),
  }),
  modify(client, {
    summary: 'Changes some fields of a registration.',
    ...writing,
    body: OauthClientPatch,
    handle: (ctx, { current, body }) => changeClient(ctx, current, reviseClient(current, body)),
  }),
  remove(client, {
    summary: 'Removes a client; every token that it was issued dies with it.',
    ...writing,
    handle: (ctx, { current }) => removeClient(ctx, current),
  }),
]
