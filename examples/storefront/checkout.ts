import type { Resource, Schemas } from '#client/src/client.ts'
import type { Page, Visit } from './page.ts'

const emptyCart = { view: 'cart-empty', title: 'Your cart is empty' }

export async function showCart({ shop }: Visit): Promise<Page> {
  const cart = shop.session && (await shop.cart.get())
  return cart?.items.length ? { view: 'cart', title: 'Your cart', data: { cart } } : emptyCart
}

/** Changes the number of pieces of an item. */
export async function changeItem({ shop, id, form }: Visit): Promise<string> {
  const { items } = await shop.cart.get()
  const item = items.find((one) => String(one.id) === id)
  const quantity = form.has('remove') ? 0 : Number(form.get('quantity'))
  await (quantity > 0 ? item?.update({ quantity }) : item?.delete())
  return '/cart'
}

/** Applies a discount code, or removes the discount. */
export async function changeDiscount({ shop, form }: Visit): Promise<string> {
  const cart = await shop.cart.get()
  const code = form.get('code')
  await (code === null ? cart.removeDiscount() : cart.applyDiscount({ code }))
  return '/cart'
}

export async function showCheckout({ shop }: Visit): Promise<Page> {
  const cart = shop.session && (await shop.cart.get())
  if (!cart?.can('checkout')) return emptyCart
  const [user, methods] = await Promise.all([shop.profile(), shop.shippingMethods.list()])
  const data = { cart, user, methods: methods.data, key: crypto.randomUUID() }
  return { view: 'checkout', title: 'Checkout', data }
}

/** Orders the cart and pays. */
export async function placeOrder(visit: Visit): Promise<string> {
  const { shop, form } = visit
  const { name = '', email, method = '', key: idempotencyKey = '' } = Object.fromEntries(form)
  const entered = (part: string) => form.get(`address.${part}`) ?? ''
  const address = {
    line1: entered('line1'),
    postal_code: entered('postal_code'),
    city: entered('city'),
    country: entered('country') as 'GB',
  }
  if (email) await (await shop.profile()).register({ name, email })
  const shipping = { method, recipient: name, address }
  // Sent twice by a double click, it is still one order.
  const order = await shop.orders.create({ shipping }, { idempotencyKey })
  // The page of the order says what has failed, and takes another card.
  return pay(visit, order).catch(() => `/orders/${order.id}`)
}

/** Pays for an order; returns the page of the buyer's bank, or that of the order. */
async function pay({ origin, form }: Visit, order: Resource<Schemas['Order']>): Promise<string> {
  const page = `/orders/${order.id}`
  const token = form.get('token') ?? ''
  const payment = await order.pay({ method: 'card', token, return_url: origin + page })
  return payment.next_action?.url ?? page
}

export const payOrder = async (visit: Visit): Promise<string> =>
  pay(visit, await visit.shop.orders.get(visit.id))

/** Shows an order: what was bought, or how to pay for it; a guest can register. */
export async function showOrder({ shop, id }: Visit): Promise<Page> {
  const order = await shop.orders.get(id, { include: ['items', 'payments'] })
  const { role } = await shop.profile()
  const { status, payments = [] } = order
  const bank = payments.find((one) => one.status === 'action_required')?.next_action
  const hasFailed = payments.some((one) => one.status === 'failed')
  const isPayable = order.can('pay')
  // Without that link a payment is under way, or was when the order was read.
  const isWaiting = status === 'pending' && !isPayable
  const headings: Readonly<Record<string, string>> = {
    paid: 'Thank you for your order',
    pending: isWaiting ? 'Waiting for your bank …' : 'Your order waits for its payment',
  }
  const data = { order, bank, hasFailed, isPayable, canRegister: role === 'guest' }
  const title = headings[status] ?? `Your order is ${status}`
  return { view: 'order', title, data, ...(isWaiting && { refresh: 5 }) }
}
