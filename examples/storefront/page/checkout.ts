import { field, html, toElement } from './html.ts'
import {
  type Cart,
  currentCart,
  currentUser,
  money,
  type Order,
  onSubmit,
  reload,
  shop,
  showCount,
  toast,
} from './shop.ts'

const cards = [
  ['tok_visa', 'Visa •••• 4242', 'Paid at once'],
  ['tok_3ds', 'Mastercard •••• 3155', 'Your bank asks you to confirm (3-D Secure)'],
  ['tok_declined', 'Visa •••• 0002', 'The bank declines'],
] as const

const payChoice = html`<fieldset><legend>Payment</legend>${cards.map(
  ([token, name, hint], index) => html`<label class="option">
    <input type="radio" name="token" value="${token}" ${index === 0 && html`checked`}>
    <span><b>${name}</b>${hint}</span></label>`,
)}</fieldset>`

const emptyCart = html`<div class="empty"><h1>Your cart is empty</h1>
  <p>A good pan is a good place to start.</p>
  <a class="button" href="#/">Browse the shop</a></div>`

/** The sums of a cart or an order; a cart has no shipping and no tax yet. */
function totals(of: Cart | Order) {
  const amount = (value: number) => money(value, of.currency)
  const rows = [
    ['Subtotal', amount(of.subtotal)],
    ...(of.discount ? [[`Discount ${of.discount.code}`, `−${amount(of.discount_total)}`]] : []),
    ...('total' in of
      ? [
          ['Shipping', amount(of.shipping_cost)],
          [of.tax_included ? 'Tax included' : 'Tax', amount(of.tax)],
          ['Total', amount(of.total)],
        ]
      : [['Total before shipping', amount(of.subtotal - of.discount_total)]]),
  ]
  return html`<dl class="totals">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

const brief = (items: Cart['items'] | Order['items'], currency: string) =>
  html`<ul class="brief">${(items ?? []).map(
    ({ quantity, name, line_total }) =>
      html`<li>${quantity} × ${name}<span>${money(line_total, currency)}</span></li>`,
  )}</ul>`

/** Shows the cart. */
export async function showCart(): Promise<HTMLElement> {
  const cart = await currentCart()
  showCount(cart?.item_count ?? 0)
  if (!cart || cart.items.length === 0) return toElement(emptyCart)
  const page = toElement(html`<div class="columns">
    <section><h1>Your cart</h1><ul class="lines">${cart.items.map(
      ({ id, product_id, name, quantity, line_total }) => html`<li>
        <a href="#/products/${product_id}">${name}</a>
        <label class="hidden" for="quantity-${id}">Quantity of ${name}</label>
        <input id="quantity-${id}" type="number" min="1" max="999" value="${quantity}">
        <span class="price">${money(line_total, cart.currency)}</span>
        <button type="button" class="plain" aria-label="Remove ${name}">Remove</button></li>`,
    )}</ul></section>
    <aside class="summary" aria-label="Summary"><h2>Summary</h2>${totals(cart)}
      <form class="discount">${
        cart.discount
          ? html`<button class="plain">Remove the discount</button>`
          : html`<label for="code">Discount code</label>
              <input id="code" name="code" required autocomplete="off"><button class="quiet">Apply</button>`
      }</form>
      <a class="button" href="#/checkout">Check out</a></aside></div>`)
  const change = (work: Promise<unknown>) =>
    work.catch((error) => toast(error.message)).then(reload)
  for (const [index, line] of page.querySelectorAll('.lines > li').entries()) {
    const item = cart.items[index]
    const input = line.querySelector('input')
    input?.addEventListener('change', () => {
      if (item) void change(item.update({ quantity: input.valueAsNumber }))
    })
    line.querySelector('button')?.addEventListener('click', () => {
      if (item) void change(item.delete())
    })
  }
  onSubmit(page.querySelector('.discount'), async (data) => {
    await (cart.discount ? cart.removeDiscount() : cart.applyDiscount({ code: data('code') }))
    reload()
  })
  return page
}

async function pay(order: Order, token: string): Promise<void> {
  const return_url = `${location.origin}/?order=${order.id}`
  const { next_action } = await order.pay({ method: 'card', token, return_url })
  if (next_action?.url) location.assign(next_action.url)
  else location.hash = `#/orders/${order.id}`
}

/** Shows the form that orders the cart and pays. */
export async function showCheckout(): Promise<HTMLElement> {
  const [user, cart, methods] = await Promise.all([
    currentUser(),
    currentCart(),
    shop.shippingMethods.list(),
  ])
  if (!user || !cart?.can('checkout')) return toElement(emptyCart)
  const isGuest = user.role === 'guest'
  const page = toElement(html`<form class="columns">
    <div><h1>Checkout</h1>
      <fieldset><legend>Contact</legend>
        ${field('Full name', 'name', html`autocomplete="name" value="${isGuest ? '' : user.name}"`)}
        ${isGuest && field('E-mail', 'email', html`type="email" autocomplete="email"`)}</fieldset>
      <fieldset class="address"><legend>Delivery address</legend>
        ${field('Street and number', 'address.line1', html`autocomplete="address-line1"`)}
        ${field('Postcode', 'address.postal_code', html`autocomplete="postal-code"`)}
        ${field('City', 'address.city', html`autocomplete="address-level2"`)}
        ${field('Country code', 'address.country', html`autocomplete="country" maxlength="2" pattern="[A-Z]{2}" value="GB"`)}
      </fieldset>
      <fieldset><legend>Shipping</legend>${methods.data.map(
        ({ code, name, price, delivery_days }, index) => html`<label class="option">
          <input type="radio" name="method" value="${code}" ${index === 0 && html`checked`}>
          <span><b>${name}</b>${delivery_days ? `${delivery_days} working days` : 'Ready tomorrow'}</span>
          <span class="price">${price === 0 ? 'Free' : money(price, cart.currency)}</span></label>`,
      )}</fieldset>
      ${payChoice}</div>
    <aside class="summary" aria-label="Summary"><h2>Your order</h2>
      ${brief(cart.items, cart.currency)}${totals(cart)}
      <button>Place the order and pay</button>
      <p class="muted">This is the sandbox: no money moves.</p></aside></form>`)
  let order: Order | undefined
  onSubmit(page, async (data) => {
    const name = data('name')
    if (isGuest) await (await user.user()).update({ name, email: data('email') })
    order ??= await cart.checkout({
      shipping: {
        method: data('method'),
        recipient: name,
        address: {
          line1: data('address.line1'),
          city: data('address.city'),
          postal_code: data('address.postal_code'),
          country: data('address.country') as 'GB',
        },
      },
    })
    showCount(0)
    await pay(order, data('token'))
  })
  return page
}

const registerForm = html`<form class="card-form register"><h2>Keep track of it</h2>
  <p class="muted">Choose a name and a password, and this order is in your account.</p>
  ${field('Username', 'username', html`autocomplete="username"`)}
  ${field('Password', 'password', html`type="password" autocomplete="new-password" minlength="8"`)}
  <button>Create the account</button></form>`

/** Shows an order: what was bought, or how to pay for it; a guest can register. */
export async function showOrder(id: string): Promise<HTMLElement> {
  const [order, user] = await Promise.all([
    shop.orders.get(id, { include: ['items', 'payments'] }),
    currentUser(),
  ])
  const has = (...states: readonly string[]) =>
    order.payments?.some(({ status }) => states.includes(status)) === true
  const isWaiting = has('pending', 'action_required')
  if (isWaiting) setTimeout(() => location.hash === `#/orders/${id}` && reload(), 1000)
  const isPaid = order.status === 'paid'
  const headings: Readonly<Record<string, string>> = {
    paid: 'Thank you for your order',
    pending: isWaiting ? 'Waiting for your bank …' : 'Your order waits for its payment',
    cancelled: 'This order was cancelled',
  }
  const placed = new Date(order.created_at).toLocaleDateString('en', { dateStyle: 'long' })
  const page = toElement(html`<div class="columns">
    <section><p class="mark ${order.status}" aria-hidden="true">${isPaid ? '✓' : '…'}</p>
      <h1>${headings[order.status] ?? `Your order is ${order.status}`}</h1>
      <p class="lead">Order ${order.id}, placed ${placed}.</p>
      ${
        order.status === 'pending' &&
        has('failed') &&
        !isWaiting &&
        html`<p class="alert" role="alert">The payment did not go through, and nothing was charged. Try another card.</p>`
      }
      ${order.can('pay') && !isWaiting && html`<form class="pay">${payChoice}<button>Pay ${money(order.total, order.currency)}</button></form>`}
      ${isPaid && user?.role === 'guest' && registerForm}</section>
    <aside class="summary" aria-label="Summary"><h2>Summary</h2>
      ${brief(order.items, order.currency)}${totals(order)}</aside></div>`)
  onSubmit(page.querySelector('.pay'), (data) => pay(order, data('token')).then(reload))
  onSubmit(page.querySelector('.register'), async (data) => {
    const account = { username: data('username'), password: data('password') }
    await (await (await shop.profile()).user()).register(account)
    await shop.login(account)
    toast('Your account is ready, and holds this order.')
    location.hash = '#/account'
  })
  return page
}
