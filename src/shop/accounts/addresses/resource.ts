import { privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { userInPathOrAdmin } from '#shop/accounts/users/access.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import { addAddress, changeDefault, removeAddress } from './actions.ts'
import { completeAddress } from './rules.ts'
import { AddressBody, AddressPatch, SavedAddress } from './schema.ts'
import { addresses } from './table.ts'

const address = item({
  name: addresses.name,
  description: addresses.description,
  path: '/users/:id/addresses/:addressId',
  schema: SavedAddress,
  load: ({ db }, { id, addressId }) => addresses.find(db, { id: addressId, user_id: id }),
  loadForUpdate: async ({ db }, { id, addressId }) => {
    await lockUser(db, id)
    return addresses.find(db, { id: addressId, user_id: id })
  },
  pathParams: ({ id, user_id }) => ({ id: user_id, addressId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ user_id }) => user_id,
  present: (found) => found,
  links: {
    user: { to: 'user', params: ({ user_id }) => ({ id: user_id }) },
    make_default: {
      to: 'address',
      operation: 'modify',
      when: ({ is_default }) => !is_default,
      body: () => ({ is_default: true }),
    },
    edit: { to: 'address', operation: 'replace' },
    delete: { to: 'address', operation: 'remove' },
  },
})

const savedAddresses = collection({
  name: 'addresses',
  path: '/users/:id/addresses',
  item: address,
})

const readPolicy = {
  access: userInPathOrAdmin('users:read'),
  rateLimit: 'default',
  cache: privateCache,
} as const
const writePolicy = { access: userInPathOrAdmin('users:write'), rateLimit: 'default' } as const

/** The operations on the addresses of a user. */
export const addressRoutes = () => [
  list(savedAddresses, {
    summary: 'Lists the addresses of a user.',
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'created_at', 'updated_at'],
    find: ({ db }, { params, page }) =>
      addresses.list(db, { filters: {}, page, where: { user_id: params.id }, isShort: true }),
  }),
  create(savedAddresses, {
    summary: 'Saves an address; the first is the default.',
    ...writePolicy,
    body: AddressBody,
    problems: ['4091'],
    handle: async ({ db, now }, { params, body }) =>
      created(await addAddress(db, params.id, body, now)),
  }),
  read(address, { summary: 'Reads an address.', ...readPolicy }),
  replace(address, {
    summary: 'Replaces an address; orders keep their copies.',
    ...writePolicy,
    body: AddressBody,
    handle: async ({ db, now }, { current, body }) =>
      addresses.replace(
        db,
        current,
        completeAddress(body),
        now,
        await changeDefault(db, current, body, now),
      ),
  }),
  modify(address, {
    summary: 'Changes some fields of an address; orders keep their copies.',
    ...writePolicy,
    body: AddressPatch,
    handle: async ({ db, now }, { current, body }) =>
      addresses.modify(
        db,
        current,
        completeAddress(body, current),
        now,
        await changeDefault(db, current, body, now),
      ),
  }),
  remove(address, {
    summary: 'Removes an address; after the default, the oldest becomes the default.',
    ...writePolicy,
    handle: ({ db, now }, { current }) => removeAddress(db, current, now),
  }),
]
