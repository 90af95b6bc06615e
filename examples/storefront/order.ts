import { brief, cardChoice, totals } from './checkout.ts'
import { html, money } from './html.ts'
import { alertOf, field, type Page, type Visit } from './page.ts'

/** Shows an order: what was bought, or how to pay for it; a guest can register. */
export async function showOrder(visit: Visit): Promise<Page> {
  const { shop, id } = visit
  const [order, user] = await Promise.all([
    shop.orders.get(id, { include: ['items', 'payments'] }),
    shop.profile(),
  ])
  const { status, payments = [], total, currency } = order
  const bank = payments.find((one) => one.status === 'action_required')?.next_action
  const hasFailed = payments.some((one) => one.status === 'failed')
  const isPayable = order.can('pay')
  // Without that link a payment is under way, or was when the order was read.
  const isWaiting = status === 'pending' && !isPayable
  const isPaid = status === 'paid'
  const headings: Readonly<Record<string, string>> = {
    paid: 'Thank you for your order',
    pending: isWaiting ? 'Waiting for your bank …' : 'Your order waits for its payment',
  }
  const title = headings[status] ?? `Your order is ${status}`
  const placed = new Date(order.created_at).toLocaleDateString('en', { dateStyle: 'long' })
  const declined = html`<p class="alert" role="alert">The card was declined, and nothing was charged. Try another one.</p>`
  const content = html`<div class="columns">
    <section><p class="mark" aria-hidden="true">${isPaid ? '✓' : '…'}</p>
      <h1>${title}</h1>
      <p class="lead">Order ${order.id}, placed ${placed}.</p>
      ${bank && html`<a class="button" href="${bank.url}">Go to your bank</a>`}
      ${isPayable && html`${alertOf(visit) ?? (hasFailed && declined)}<form id="pay" method="post">${cardChoice(visit)}</form>`}
      ${isPaid && user.role === 'guest' && registrationForm(visit)}</section>
    <aside class="summary" aria-label="Summary"><h2>Summary</h2>
      ${brief(order)}${totals(order)}
      ${isPayable && html`<button form="pay">Pay ${money(total, currency)}</button>`}</aside></div>`
  return { title, content, ...(isWaiting && { refresh: 5 }) }
}

const registrationForm = (
  visit: Visit,
) => html`<form class="card-form" method="post" action="/orders/${visit.id}/account">
  <h2>Keep track of it</h2>
  <p class="muted">Choose a name and a password, and this order is in your account.</p>
  ${field(visit, 'Username', 'username', html`autocomplete="username"`)}
  ${field(visit, 'Password', 'password', html`type="password" autocomplete="new-password" minlength="8"`)}
  <button>Create the account</button>${alertOf(visit)}</form>`

/** Makes an account of a guest, which holds the orders of the guest. */
export async function register({ shop, form, remember }: Visit): Promise<string> {
  const { username = '', password = '' } = Object.fromEntries(form)
  await (await (await shop.profile()).user()).register({ username, password })
  await shop.login({ username, password })
  remember()
  return '/account'
}
