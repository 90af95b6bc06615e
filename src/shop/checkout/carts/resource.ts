import type { Context } from '#http/declare/context.ts'
import { anyUser, privateCache } from '#http/declare/policy.ts'
import { collection, item, type Link, singleton } from '#http/declare/resource.ts'
import { created, ok } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { languages } from '#i18n/languages.ts'
import { createMessage, formatMessage } from '#i18n/message.ts'
import { NoFilters } from '#schema/words.ts'
import { userInPathOrAdmin } from '#shop/accounts/users/access.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import { buyerNetwork } from '#shop/caller-network.ts'
import { isProductVisible } from '#shop/catalogue/products/visibility.ts'
import type { Shop } from '#shop/shop.ts'
import { fieldProblem } from '#values/problem.ts'
import {
  addToCart,
  applyDiscount,
  changeLine,
  emptyCart,
  loadCart,
  loadLine,
  priceLines,
  removeDiscount,
  removeFromCart,
  type WouldYield,
} from './actions.ts'
import {
  cartChangeTimes,
  cartProblems,
  cartRevision,
  isOrderable,
  lineChangeTimes,
  type PricedCart,
  type PricedLine,
  presentCart,
  presentLine,
} from './rules.ts'
import {
  CartDiscountBody,
  CartItem,
  CartItemBody,
  CartItemPatch,
  Cart as CartSchema,
  CartStatus,
} from './schema.ts'
import * as store from './store.ts'

const ownCart = userInPathOrAdmin('carts:write')
const write = { access: ownCart, rateLimit: 'default', problems: ['4091', '4093'] } as const
const readOptions = { access: ownCart, rateLimit: 'default', cache: privateCache } as const
const userParams = ({ user_id }: { readonly user_id: number }) => ({ id: user_id })

const cartItem = item({
  name: 'cart_item',
  description: 'A product in a cart, with its quantity.',
  path: '/users/:id/cart/items/:itemId',
  schema: CartItem,
  load: ({ db, now }, { id, itemId }) => loadLine(db, id, itemId, now),
  loadForUpdate: async ({ db, now }, { id, itemId }) => {
    await lockUser(db, id)
    return loadLine(db, id, itemId, now)
  },
  pathParams: (line) => ({ id: line.user_id, itemId: line.id }),
  revision: (line) =>
    `${line.updated_at}.${line.quantity}.${line.product_revision}.${line.discount}`,
  changedAt: lineChangeTimes,
  present: presentLine,
  owner: ({ user_id }) => user_id,
  links: {
    product: {
      to: 'product',
      params: ({ product_id }) => ({ productId: product_id }),
      when: (row, { actor }) => row.product_deleted_at === null && isProductVisible(row, actor),
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

const checkoutLink = (shop: Shop): Link<PricedCart> => ({
  to: 'user_orders',
  operation: 'create',
  when: (cart, { now }) => isOrderable(cart, now, shop),
  body: ({ checkout_method: method }) => ({ shipping: { method, recipient: null, address: null } }),
})

const cartLinks = (shop: Shop): Readonly<Record<string, Link<PricedCart>>> => ({
  items: { to: 'cart_items' },
  status: { to: 'cart_status' },
  add_item: {
    to: 'cart_items',
    operation: 'create',
    body: () => ({ product_id: 'integer', quantity: 'integer' }),
  },
  apply_discount: {
    to: 'cart_discount',
    operation: 'replace',
    when: ({ lines }) => lines.length > 0,
    body: () => ({ code: 'string' }),
  },
  remove_discount: {
    to: 'cart_discount',
    operation: 'remove',
    when: ({ discount_code }) => discount_code !== null,
  },
  checkout: checkoutLink(shop),
  delete: { to: 'cart', operation: 'remove', when: ({ lines }) => lines.length > 0 },
})

const loadForUpdate = async ({ db, now }: Context, { id }: { readonly id: number }) => {
  await lockUser(db, id)
  return loadCart(db, id, now)
}

const cartResource = (shop: Shop) =>
  singleton({
    name: 'cart',
    description: 'The products that a user intends to buy.',
    path: '/users/:id/cart',
    schema: CartSchema,
    load: ({ db, now }, { id }) => loadCart(db, id, now),
    loadForUpdate,
    pathParams: userParams,
    revision: (cart, { now }) => cartRevision(cart, now),
    changedAt: (cart, { now }) => cartChangeTimes(cart, now),
    present: (cart, { now }) => presentCart(cart, now, shop.currency),
    owner: ({ user_id }) => user_id,
    embeds: { items: { resource: 'cart_item', of: ({ lines }) => lines } },
    links: cartLinks(shop),
  })

/** The cart of the caller, at an address without an ID. */
const ownCartRoute = ({ loadForUpdate: _, ...cart }: ReturnType<typeof cartResource>) =>
  read(
    singleton({
      ...cart,
      name: 'own_cart',
      singular: 'cart',
      path: '/cart',
      load: ({ db, now, actor }) => loadCart(db, actor.userId ?? 0, now),
      links: { ...cart.links, self: { to: 'cart' } },
    }),
    {
      summary: 'Reads the cart of the caller with its items.',
      ...readOptions,
      access: anyUser('carts:write'),
    },
  )

/** Returns a code without the blanks around it. Throws 400/4001 for a blank one. */
function requireCode(entered: string): string {
  const code = entered.trim()
  if (code !== '') return code
  throw fieldProblem([{ field: 'code', message: createMessage('field.required'), missing: true }])
}

/** The discount of a cart, whose changes answer with the cart. */
const discountRoutes = (cart: ReturnType<typeof cartResource>) => {
  const discount = singleton({
    ...cart,
    name: 'cart_discount',
    singular: 'cart',
    path: '/users/:id/cart/discount',
    links: { ...cart.links, self: { to: 'cart' } },
  })
  return [
    replace(discount, {
      summary: 'Applies a discount to a cart by its code.',
      access: ownCart,
      rateLimit: 'default',
      isGuess: () => true,
      problems: ['4091'],
      body: CartDiscountBody,
      handle: ({ db, now }, { current, body }) =>
        applyDiscount(db, current, requireCode(body.code), now),
    }),
    remove(discount, {
      summary: 'Removes the discount of a cart.',
      access: ownCart,
      rateLimit: 'default',
      handle: ({ db, now }, { current }) => removeDiscount(db, current, now),
    }),
  ]
}

const statusResource = (shop: Shop) =>
  singleton({
    name: 'cart_status',
    description: 'Whether a cart can be ordered, and the problems that prevent it.',
    path: '/users/:id/cart/status',
    schema: CartStatus,
    load: ({ db, now }, { id }) => loadCart(db, id, now),
    pathParams: userParams,
    revision: (cart, { now }) => cartRevision(cart, now),
    changedAt: (cart, { now }) => cartChangeTimes(cart, now),
    isLocalized: true,
    present: (cart, { now, language }) => ({
      ...presentCart(cart, now, shop.currency),
      checkout_ready: isOrderable(cart, now, shop),
      problems: cartProblems(cart, now, shop).map((problem) => ({
        ...problem,
        message: formatMessage(problem.message, languages[language]),
      })),
    }),
    owner: ({ user_id }) => user_id,
    links: {
      cart: { to: 'cart' },
      checkout: checkoutLink(shop),
    },
  })

const toResult = ({ line, isNew }: { readonly line: PricedLine; readonly isNew: boolean }) =>
  isNew ? created(line) : ok(line)

/** The operations on carts and their items; every user has one cart. */
export function cartRoutes(shop: Shop, wouldYield: WouldYield) {
  const cart = cartResource(shop)
  return [
    read(cart, { summary: 'Reads a cart with its items.', ...readOptions }),
    remove(cart, {
      operationId: 'emptyCart',
      summary: 'Empties a cart.',
      access: ownCart,
      rateLimit: 'default',
      handle: ({ db, now }, { current }) => emptyCart(db, current, now),
    }),
    ownCartRoute(cart),
    ...discountRoutes(cart),
    read(statusResource(shop), { summary: 'Reads whether a cart can be ordered.', ...readOptions }),
    ...itemRoutes(wouldYield),
  ]
}

const addProblems = ['4091', '4093', '4101'] as const
const addOptions = {
  summary: 'Adds a product to the cart, or to the quantity of its existing item.',
  body: CartItemBody,
  statuses: [201, 200],
} as const

/** The circumstances of a change that a request makes. */
const changeBy = (ctx: Context, wouldYield: WouldYield) => ({
  network: buyerNetwork(ctx),
  wouldYield,
  now: ctx.now,
})

const itemRoutes = (wouldYield: WouldYield) => [
  list(cartItems, {
    summary: 'Lists the items of a cart.',
    ...readOptions,
    filters: NoFilters,
    sortFields: ['id', 'quantity'],
    find: async ({ db, now }, { params, page }) => {
      const found = await store.listLines(db, params.id, page)
      return { ...found, rows: await priceLines(db, found.rows, now) }
    },
  }),
  create(cartItems, {
    operationId: 'addCartItem',
    ...addOptions,
    ...write,
    problems: addProblems,
    handle: async (ctx, { params, body }) =>
      toResult(await addToCart(ctx.db, params.id, body, changeBy(ctx, wouldYield))),
  }),
  create(additions, {
    operationId: 'addToCart',
    ...addOptions,
    ...write,
    problems: addProblems,
    access: anyUser('carts:write'),
    handle: async (ctx, { body }) =>
      toResult(await addToCart(ctx.db, ctx.actor.userId ?? 0, body, changeBy(ctx, wouldYield))),
  }),
  read(cartItem, { summary: 'Reads an item of a cart.', ...readOptions }),
  modify(cartItem, {
    summary: 'Changes the quantity of an item.',
    ...write,
    body: CartItemPatch,
    handle: (ctx, { current, body }) =>
      changeLine(ctx.db, current, body.quantity, changeBy(ctx, wouldYield)),
  }),
  remove(cartItem, {
    operationId: 'removeCartItem',
    summary: 'Removes an item from the cart.',
    access: ownCart,
    rateLimit: 'default',
    handle: ({ db, now }, { current }) => removeFromCart(db, current, now),
  }),
]
