import type { Resource, Schemas } from '#client/src/client.ts'
import { alertOf, choice, field, html, money, type Page, type Visit } from './page.ts'

type Cart = Resource<Schemas['Cart']>
type Order = Resource<Schemas['Order']>

const emptyCart = {
  title: 'Your cart is empty',
  content: html`<div class="empty"><h1>Your cart is empty</h1>
    <p>A good pan is a good place to start.</p>
    <a class="button" href="/">Browse the shop</a></div>`,
}

/** The sums of a cart or an order; a cart has no shipping and no tax yet. */
export function totals(of: Cart | Order) {
  const row = (name: string, value: number) =>
    html`<dt>${name}</dt><dd>${money(value, of.currency)}</dd>`
  return html`<dl class="totals">${row('Subtotal', of.subtotal)}
    ${of.discount && row(`Discount ${of.discount.code}`, -of.discount_total)}
    ${
      'total' in of
        ? html`${row('Shipping', of.shipping_cost)}
            ${row(of.tax_included ? 'Tax included' : 'Tax', of.tax)}${row('Total', of.total)}`
        : row('Total before shipping', of.subtotal - of.discount_total)
    }</dl>`
}

export const brief = ({ items = [], currency }: Cart | Order) =>
  html`<ul class="brief">${items.map(
    ({ quantity, name, line_total }) =>
      html`<li>${quantity} × ${name}<span>${money(line_total, currency)}</span></li>`,
  )}</ul>`

const line = ({ id, product_id, name, quantity, line_total }: Cart['items'][0], currency: string) =>
  html`<li><form method="post" action="/cart/items/${id}">
    <a href="/products/${product_id}">${name}</a>
    <input name="quantity" type="number" min="0" max="999" value="${quantity}" aria-label="Quantity of ${name}">
    <button class="plain" aria-label="Update ${name}">Update</button>
    <span class="price">${money(line_total, currency)}</span>
    <button class="plain" name="remove" formnovalidate aria-label="Remove ${name}">Remove</button></form></li>`

export async function showCart(visit: Visit): Promise<Page> {
  const cart = visit.shop.session && (await visit.shop.cart.get())
  if (!cart?.items.length) return emptyCart
  const codeField = html`<label for="code">Discount code</label>
    <input id="code" name="code" value="${visit.form.get('code')}" required autocomplete="off">
    <button class="quiet">Apply</button>`
  const content = html`<div class="columns"><section><h1>Your cart</h1>
      <ul class="lines">${cart.items.map((item) => line(item, cart.currency))}</ul></section>
    <aside class="summary" aria-label="Summary"><h2>Summary</h2>${totals(cart)}
      <form class="discount" method="post" action="/cart">
        ${cart.discount ? html`<button class="plain">Remove the discount</button>` : codeField}
        ${alertOf(visit)}</form>
      <a class="button" href="/checkout">Check out</a></aside></div>`
  return { title: 'Your cart', content }
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

const cards = [
  ['tok_visa', 'Visa •••• 4242', 'Paid at once'],
  ['tok_3ds', 'Mastercard •••• 3155', 'Your bank asks you to confirm (3-D Secure)'],
  ['tok_declined', 'Visa •••• 0002', 'The bank declines'],
] as const

export const cardChoice = (visit: Visit) =>
  html`<fieldset><legend>Payment</legend>${cards.map(([token, name, hint], index) =>
    choice(visit, 'token', token, index, html`<span><b>${name}</b>${hint}</span>`),
  )}</fieldset>`

export async function showCheckout(visit: Visit): Promise<Page> {
  const { shop } = visit
  const cart = shop.session && (await shop.cart.get())
  if (!cart?.can('checkout')) return emptyCart
  const [user, methods] = await Promise.all([shop.profile(), shop.shippingMethods.list()])
  const isGuest = user.role === 'guest'
  const content = html`<form class="columns" method="post">
    <div><h1>Checkout</h1>
      <fieldset><legend>Contact</legend>
        ${field(visit, 'Full name', 'name', html`autocomplete="name"`, isGuest ? '' : user.name)}
        ${isGuest && field(visit, 'E-mail', 'email', html`type="email" autocomplete="email"`)}</fieldset>
      <fieldset class="address"><legend>Delivery address</legend>
        ${field(visit, 'Street and number', 'address.line1', html`autocomplete="address-line1"`)}
        ${field(visit, 'Postcode', 'address.postal_code', html`autocomplete="postal-code"`)}
        ${field(visit, 'City', 'address.city', html`autocomplete="address-level2"`)}
        ${field(visit, 'Country code', 'address.country', html`autocomplete="country" pattern="[A-Z]{2}"`, 'GB')}
      </fieldset>
      <fieldset><legend>Shipping</legend>${methods.data.map((method, index) => {
        const { code, name, price, delivery_days: days } = method
        const text = html`<span><b>${name}</b>${days && `${days} working ${days === 1 ? 'day' : 'days'}`}</span>
          <span class="price">${price === 0 ? 'Free' : money(price, cart.currency)}</span>`
        return choice(visit, 'method', code, index, text)
      })}</fieldset>
      ${cardChoice(visit)}</div>
    <aside class="summary" aria-label="Summary"><h2>Your order</h2>
      ${brief(cart)}${totals(cart)}
      <input type="hidden" name="key" value="${crypto.randomUUID()}">
      <button>Place the order and pay</button>${alertOf(visit)}
      <p class="muted">This is the sandbox: no money moves.</p></aside></form>`
  return { title: 'Checkout', content }
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
async function pay({ origin, form }: Visit, order: Order): Promise<string> {
  const page = `/orders/${order.id}`
  const token = form.get('token') ?? ''
  const payment = await order.pay({ method: 'card', token, return_url: origin + page })
  return payment.next_action?.url ?? page
}

export const payOrder = async (visit: Visit): Promise<string> =>
  pay(visit, await visit.shop.orders.get(visit.id))
