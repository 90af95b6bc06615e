import { adminOnly, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { createDiscountState, presentValue, requireSameCode, toDiscountBody } from './rules.ts'
import { Discount, DiscountBody, DiscountFilters, DiscountPatch } from './schema.ts'
import * as store from './store.ts'

const discount = item({
  name: 'discount',
  description: 'A code that makes orders cheaper.',
  path: '/discounts/:discountId',
  schema: Discount,
  load: ({ db }, { discountId }) => store.findDiscount(db, discountId),
  loadForUpdate: ({ db }, { discountId }) => store.lockDiscount(db, discountId),
  isGone: ({ deleted_at }) => deleted_at !== null,
  pathParams: ({ id }) => ({ discountId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  present: (stored) => ({
    ...stored,
    value: presentValue(stored),
    minimum_subtotal: stored.minimum_subtotal,
  }),
  links: {
    edit: { to: 'discount', operation: 'replace' },
    delete: { to: 'discount', operation: 'remove' },
  },
})

const discounts = collection({ name: 'discounts', path: '/discounts', item: discount })

const access = adminOnly('settings:write')
const readPolicy = { access, rateLimit: 'default', cache: privateCache } as const
const writePolicy = { access, rateLimit: 'default' } as const

/** The operations on discounts, for administrators. */
export const discountRoutes = () => [
  list(discounts, {
    summary: 'Lists the discounts.',
    ...readPolicy,
    filters: DiscountFilters,
    sortFields: ['id', 'code'],
    find: ({ db }, { filters, page }) => store.listDiscounts(db, filters, page),
  }),
  create(discounts, {
    summary: 'Creates a discount.',
    ...writePolicy,
    body: DiscountBody,
    problems: ['4092'],
    handle: async ({ db, now }, { body }) =>
      created(await store.insertDiscount(db, createDiscountState(body), now)),
  }),
  read(discount, { summary: 'Reads a discount.', ...readPolicy }),
  replace(discount, {
    summary: 'Replaces a discount; its code stays.',
    ...writePolicy,
    body: DiscountBody,
    handle: ({ db, now }, { current, body }) => {
      requireSameCode(current.code, body.code)
      const { code } = current
      return store.saveDiscount(db, current, createDiscountState({ ...body, code }), now)
    },
  }),
  modify(discount, {
    summary: 'Changes some fields of a discount.',
    ...writePolicy,
    body: DiscountPatch,
    handle: ({ db, now }, { current, body }) => {
      const { code = current.code, ...changes } = body
      requireSameCode(current.code, code)
      const next = createDiscountState({ ...toDiscountBody(current), ...changes })
      return store.saveDiscount(db, current, next, now)
    },
  }),
  remove(discount, {
    summary: 'Removes a discount; orders keep what it took off.',
    ...writePolicy,
    handle: ({ db, now }, { current }) => store.removeDiscount(db, current, now),
  }),
]
