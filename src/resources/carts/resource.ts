import { Type } from 'typebox'
import { anyUser, privateCache } from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { create, created, list, modify, ok, read, remove } from '#http/declare/route.ts'
import { languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import type { Shop } from '#resources/dependencies.ts'
import { userInPathOrAdmin } from '#resources/users/access.ts'
import type { Instant } from '#values/instant.ts'
import { addToCart, changeLine, emptyCart, removeFromCart } from './actions.ts'
import {
  type Cart,
  type CartLine,
  cartChangeTimes,
  cartProblems,
  cartRevision,
  cartStatus,
  countPieces,
  lineChangeTimes,
  presentLine,
  subtotalMinor,
} from './rules.ts'
import { CartItem, CartItemBody, CartItemPatch, Cart as CartSchema, CartStatus } from './schema.ts'
import * as store from './store.ts'

const ownCart = userInPathOrAdmin('carts:write')
const write = { access: ownCart, rateLimit: 'writes', problems: ['4091', '4093'] } as const
const readOptions = { access: ownCart, rateLimit: 'reads', cache: privateCache } as const
const userParams = ({ user_id }: { readonly user_id: number }) => ({ id: user_id })

const cartItem = item({
  name: 'cart_item',
  description: 'A product in a cart, with its quantity.',
  path: '/users/:id/cart/items/:itemId',
  schema: CartItem,
  load: ({ db }, { id, itemId }) => store.findLine(db, id, itemId),
  loadForUpdate: async ({ db }, { id, itemId }) => {
    await store.lockCart(db, id)
    return store.findLine(db, id, itemId)
  },
  pathParams: (line) => ({ id: line.user_id, itemId: line.id }),
  revision: (line) => `${line.updated_at}.${line.quantity}.${line.product_revision}`,
  changedAt: lineChangeTimes,
  present: presentLine,
  owner: ({ user_id }) => user_id,
  links: {
    product: {
      to: 'product',
      params: ({ product_id }) => ({ productId: product_id }),
      when: ({ product_deleted_at }) => product_deleted_at === null,
    },
    cart: { to: 'cart', params: userParams },
    edit: { to: 'cart_item', operation: 'modify' },
    delete: { to: 'cart_item', operation: 'remove' },
  },
})
const cartItems = collection({
  name: 'cart_items',
  path: '/users/:id/cart/items',
  item: cartItem,
})
const additions = collection({ name: 'cart_additions', path: '/cart', item: cartItem })

const presentTotals = (cart: Cart, now: Instant, currency: string) => ({
  user_id: cart.user_id,
  status: cartStatus(cart, now),
  item_count: countPieces(cart.lines),
  subtotal: subtotalMinor(cart.lines),
  currency,
  created_at: cart.created_at,
  updated_at: cart.updated_at,
})
const isOrderable = (cart: Cart): boolean =>
  cart.lines.length > 0 && cartProblems(cart).length === 0

const cartResource = ({ currency }: Shop) =>
  singleton({
    name: 'cart',
    description: 'The products that a user intends to buy.',
    path: '/users/:id/cart',
    schema: CartSchema,
    load: ({ db }, { id }) => store.findCart(db, id),
    loadForUpdate: async ({ db }, { id }) => {
      await store.lockCart(db, id)
      return store.findCart(db, id)
    },
    pathParams: userParams,
    revision: (cart, { now }) => cartRevision(cart, now),
    changedAt: (cart, { now }) => cartChangeTimes(cart, now),
    present: (cart, { now }) => presentTotals(cart, now, currency),
    owner: ({ user_id }) => user_id,
    embeds: { items: { resource: 'cart_item', of: ({ lines }) => lines } },
    links: {
      items: { to: 'cart_items' },
      status: { to: 'cart_status' },
      add_item: {
        to: 'cart_items',
        operation: 'create',
        body: () => ({ product_id: 'integer', quantity: 'integer' }),
      },
      checkout: { to: 'user_orders', operation: 'create', when: isOrderable, body: () => ({}) },
      delete: { to: 'cart', operation: 'remove', when: ({ lines }) => lines.length > 0 },
    },
  })

const statusResource = ({ currency }: Shop) =>
  singleton({
    name: 'cart_status',
    description: 'Whether a cart can be ordered, and the problems that prevent it.',
    path: '/users/:id/cart/status',
    schema: CartStatus,
    load: ({ db }, { id }) => store.findCart(db, id),
    pathParams: userParams,
    revision: (cart, { now }) => cartRevision(cart, now),
    changedAt: (cart, { now }) => cartChangeTimes(cart, now),
    isLocalized: true,
    present: (cart, { now, language }) => ({
      ...presentTotals(cart, now, currency),
      checkout_ready: isOrderable(cart),
      problems: cartProblems(cart).map((problem) => ({
        ...problem,
        message: formatMessage(problem.message, languages[language]),
      })),
    }),
    owner: ({ user_id }) => user_id,
    links: {
      cart: { to: 'cart' },
      checkout: { to: 'user_orders', operation: 'create', when: isOrderable, body: () => ({}) },
    },
  })

const toResult = ({ line, isNew }: { readonly line: CartLine; readonly isNew: boolean }) =>
  isNew ? created(line) : ok(line)

/** The operations on carts and their items; every user has one cart. */
export function cartRoutes(shop: Shop) {
  const cart = cartResource(shop)
  return [
    read(cart, { summary: 'Reads a cart with its items.', ...readOptions }),
    remove(cart, {
      summary: 'Empties a cart.',
      access: ownCart,
      rateLimit: 'writes',
      handle: ({ db, now }, { current }) => emptyCart(db, current, now),
    }),
    read(statusResource(shop), { summary: 'Reads whether a cart can be ordered.', ...readOptions }),
    ...itemRoutes,
  ]
}

const addOptions = {
  summary: 'Adds a product to the cart, or to the quantity of its existing item.',
  body: CartItemBody,
  statuses: [201, 200],
} as const

const itemRoutes = [
  list(cartItems, {
    summary: 'Lists the items of a cart.',
    ...readOptions,
    filters: Type.Object({}),
    sortFields: ['id', 'created_at', 'quantity'],
    find: ({ db }, { params, page }) => store.listLines(db, params.id, page),
  }),
  create(cartItems, {
    ...addOptions,
    ...write,
    handle: async ({ db, now }, { params, body }) =>
      toResult(await addToCart(db, params.id, body, now)),
  }),
  create(additions, {
    ...addOptions,
    ...write,
    access: anyUser('carts:write'),
    handle: async ({ db, now, actor }, { body }) =>
      toResult(await addToCart(db, actor.userId ?? 0, body, now)),
  }),
  read(cartItem, { summary: 'Reads an item of a cart.', ...readOptions }),
  modify(cartItem, {
    summary: 'Changes the quantity of an item.',
    ...write,
    body: CartItemPatch,
    handle: ({ db, now }, { current, body }) => changeLine(db, current, body.quantity, now),
  }),
  remove(cartItem, {
    summary: 'Removes an item from the cart.',
    access: ownCart,
    rateLimit: 'writes',
    handle: ({ db, now }, { current }) => removeFromCart(db, current, now),
  }),
]
