import { Type } from 'typebox'
import { personal, signedIn } from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { create, created, list, merged, modify, read, remove } from '#http/declare/route.ts'
import { languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import type { Shop } from '#resources/dependencies.ts'
import { ownUser } from '#resources/users/access.ts'
import type { Instant } from '#values/instant.ts'
import { addToCart, changeLine, emptyCart, removeFromCart } from './actions.ts'
import {
  type Cart,
  type CartLine,
  cartChanges,
  cartProblems,
  cartRevision,
  cartStatus,
  countPieces,
  lineChanges,
  presentLine,
  subtotalMinor,
} from './rules.ts'
import { CartItem, CartItemBody, CartItemPatch, Cart as CartSchema, CartStatus } from './schema.ts'
import * as store from './store.ts'

const own = ownUser('carts:write')
const write = { access: own, rate: 'writes', problems: ['4091', '4093'] } as const
const reading = { access: own, rate: 'reads', cache: personal } as const
const userOf = ({ user_id }: { readonly user_id: number }) => ({ id: user_id })

const cartItem = item({
  name: 'cart_item',
  description: 'One product in a cart.',
  path: '/users/:id/cart/items/:itemId',
  schema: CartItem,
  load: ({ db }, { id, itemId }) => store.findLine(db, id, itemId),
  loadForUpdate: async ({ db }, { id, itemId }) => {
    await store.holdCart(db, id)
    return store.findLine(db, id, itemId)
  },
  pathParams: (line) => ({ id: line.user_id, itemId: line.id }),
  revision: (line) => `${line.updated_at}.${line.quantity}.${line.product_revision}`,
  changedAt: lineChanges,
  present: presentLine,
  owner: ({ user_id }) => user_id,
  links: {
    product: {
      to: 'product',
      params: ({ product_id }) => ({ productId: product_id }),
      when: ({ product_deleted_at }) => product_deleted_at === null,
    },
    cart: { to: 'cart', params: userOf },
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

const presentSums = (cart: Cart, now: Instant, currency: string) => ({
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
    description: 'What a user means to buy.',
    path: '/users/:id/cart',
    schema: CartSchema,
    load: ({ db }, { id }) => store.findCart(db, id),
    loadForUpdate: async ({ db }, { id }) => {
      await store.holdCart(db, id)
      return store.findCart(db, id)
    },
    pathParams: userOf,
    revision: (cart, { now }) => cartRevision(cart, now),
    changedAt: (cart, { now }) => cartChanges(cart, now),
    present: (cart, { now }) => presentSums(cart, now, currency),
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
    description: 'Whether a cart can be ordered as it is, and if not, why.',
    path: '/users/:id/cart/status',
    schema: CartStatus,
    load: ({ db }, { id }) => store.findCart(db, id),
    pathParams: userOf,
    revision: (cart, { now }) => cartRevision(cart, now),
    changedAt: (cart, { now }) => cartChanges(cart, now),
    isLocalized: true,
    present: (cart, { now, language }) => ({
      ...presentSums(cart, now, currency),
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

const outcomeOf = ({ line, isNew }: { readonly line: CartLine; readonly isNew: boolean }) =>
  isNew ? created(line) : merged(line)

/** Carts: every user has one. */
export function cartRoutes(shop: Shop) {
  const cart = cartResource(shop)
  return [
    read(cart, { summary: 'Reads a cart with its items.', ...reading }),
    remove(cart, {
      summary: 'Empties a cart.',
      access: own,
      rate: 'writes',
      handle: ({ db, now }, { current }) => emptyCart(db, current, now),
    }),
    read(statusResource(shop), { summary: 'Tells whether a cart can be ordered.', ...reading }),
    ...itemRoutes,
  ]
}

const adding = {
  summary: 'Puts a product in the cart; pieces of one already there are added to it.',
  body: CartItemBody,
  statuses: [201, 200],
} as const

const itemRoutes = [
  list(cartItems, {
    summary: 'Pages through the items of a cart.',
    ...reading,
    filters: Type.Object({}),
    sorts: ['id', 'created_at', 'quantity'],
    find: ({ db }, { params, page }) => store.listLines(db, params.id, page),
  }),
  create(cartItems, {
    ...adding,
    ...write,
    handle: async ({ db, now }, { params, body }) =>
      outcomeOf(await addToCart(db, params.id, body, now)),
  }),
  create(additions, {
    ...adding,
    ...write,
    access: signedIn('carts:write'),
    handle: async ({ db, now, actor }, { body }) =>
      outcomeOf(await addToCart(db, actor.userId ?? 0, body, now)),
  }),
  read(cartItem, { summary: 'Reads an item of a cart.', ...reading }),
  modify(cartItem, {
    summary: 'Changes how many pieces an item holds.',
    ...write,
    body: CartItemPatch,
    handle: ({ db, now }, { current, body }) => changeLine(db, current, body.quantity, now),
  }),
  remove(cartItem, {
    summary: 'Takes an item out of the cart.',
    access: own,
    rate: 'writes',
    handle: ({ db, now }, { current }) => removeFromCart(db, current, now),
  }),
]
