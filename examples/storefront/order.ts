import { registrationForm } from './account.ts'
import { brief, cardChoice, totals } from './checkout.ts'
import { alertOf, html, money, type Page, type Visit } from './page.ts'

const declined = html`<p class="alert" role="alert">The card was declined, and nothing was charged. Try another one.</p>`

/** Shows an order: what was bought, or how to pay for it; a guest can register. */
export async function showOrder(visit: Visit): Promise<Page> {
  const order = await visit.shop.orders.get(visit.id, { include: ['items', 'payments'] })
  const { role } = await visit.shop.profile()
  const { id, status, payments = [], total, currency } = order
  const bank = payments.find((one) => one.status === 'action_required')?.next_action
  const hasFailed = payments.some((one) => one.status === 'failed')
  const isPayable = order.can('pay')
  // Without that link a payment is under way, or was when the order was read.
  const isWaiting = status === 'pending' && !isPayable
  const headings: Readonly<Record<string, string>> = {
    paid: 'Thank you for your order',
    pending: isWaiting ? 'Waiting for your bank …' : 'Your order waits for its payment',
  }
  const title = headings[status] ?? `Your order is ${status}`
  const isDone = ['paid', 'shipped', 'delivered'].includes(status)
  const placed = new Date(order.created_at).toLocaleDateString('en', { dateStyle: 'long' })
  const content = html`<div class="columns">
    <section><p class="mark" aria-hidden="true">${isDone ? '✓' : '…'}</p>
      <h1>${title}</h1>
      <p class="lead">Order ${id}, placed ${placed}.</p>
      ${bank && html`<a class="button" href="${bank.url}">Go to your bank</a>`}
      ${isPayable && html`${alertOf(visit) ?? (hasFailed && declined)}<form id="pay" method="post">${cardChoice(visit)}</form>`}
      ${status === 'paid' && role === 'guest' && registrationForm(visit)}</section>
    <aside class="summary" aria-label="Summary"><h2>Summary</h2>
      ${brief(order)}${totals(order)}
      ${isPayable && html`<button form="pay">Pay ${money(total, currency)}</button>`}</aside></div>`
  return { title, content, ...(isWaiting && { refresh: 5 }) }
}
