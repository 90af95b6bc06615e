import type { Actor } from '#http/declare/actor.ts'
import { adminOnly, optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { requireUnchangedField } from '#shop/fixed-field.ts'
import { createMethodState, patchMethod } from './rules.ts'
import {
  ShippingMethod,
  ShippingMethodBody,
  ShippingMethodFilters,
  ShippingMethodPatch,
} from './schema.ts'
import * as store from './store.ts'

const maySeeInactive = ({ role }: Actor) => role === 'admin'

const shippingMethod = item({
  name: 'shipping_method',
  description: 'A way to send orders, and what it costs.',
  path: '/shipping-methods/:shippingMethodId',
  schema: ShippingMethod,
  load: async ({ db, actor }, { shippingMethodId }) => {
    const method = await store.findMethod(db, shippingMethodId)
    return method?.active || maySeeInactive(actor) ? method : undefined
  },
  isGone: ({ deleted_at }) => deleted_at !== null,
  pathParams: ({ id }) => ({ shippingMethodId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  present: (method) => ({
    ...method,
    price: method.price_minor,
    free_from: method.free_from_minor,
  }),
  links: {
    edit: { to: 'shipping_method', operation: 'replace' },
    delete: { to: 'shipping_method', operation: 'remove' },
  },
})

const shippingMethods = collection({
  name: 'shipping_methods',
  path: '/shipping-methods',
  item: shippingMethod,
})

const write = { access: adminOnly('settings:write'), rateLimit: 'default' } as const
const publicRead = {
  access: optionalAuthentication,
  rateLimit: 'default',
  cache: publicCache,
} as const

/** The operations on shipping methods: public reads, writes by administrators. */
export const shippingMethodRoutes = () => [
  list(shippingMethods, {
    summary: 'Lists the shipping methods; administrators see inactive ones too.',
    ...publicRead,
    filters: ShippingMethodFilters,
    sortFields: ['id', 'code', 'name', 'price'],
    find: ({ db, actor }, { filters, page }) =>
      store.listMethods(db, maySeeInactive(actor) ? filters : { ...filters, active: true }, page),
  }),
  create(shippingMethods, {
    summary: 'Creates a shipping method.',
    ...write,
    body: ShippingMethodBody,
    problems: ['4092'],
    handle: async ({ db, now }, { body }) =>
      created(await store.insertMethod(db, createMethodState(body), now)),
  }),
  read(shippingMethod, { summary: 'Reads a shipping method.', ...publicRead }),
  replace(shippingMethod, {
    summary: 'Replaces a shipping method; its code stays.',
    ...write,
    body: ShippingMethodBody,
    handle: ({ db, now }, { current, body }) => {
      // Orders refer to the method by its code.
      requireUnchangedField('code', current.code, body.code)
      return store.saveMethod(db, current, createMethodState(body), now)
    },
  }),
  modify(shippingMethod, {
    summary: 'Changes some fields of a shipping method.',
    ...write,
    body: ShippingMethodPatch,
    handle: ({ db, now }, { current, body }) => {
      const changed = patchMethod(current, body)
      requireUnchangedField('code', current.code, changed.code)
      return store.saveMethod(db, current, createMethodState(changed), now)
    },
  }),
  remove(shippingMethod, {
    summary: 'Removes a shipping method; orders keep its code and cost.',
    ...write,
    handle: ({ db, now }, { current }) => store.removeMethod(db, current, now),
  }),
]
