import { alertOf, field, html, money, type Page, type Visit } from './page.ts'

const fields = (visit: Visit, nameLabel: string, passwordKind: 'current' | 'new', button: string) =>
  html`${field(visit, nameLabel, 'username', html`autocomplete="username"`)}
    ${field(visit, 'Password', 'password', html`type="password" autocomplete="${passwordKind}-password"`)}
    <button>${button}</button>${alertOf(visit)}`

/** Shows the orders of a customer, or the form to sign in. */
export async function showAccount(visit: Visit): Promise<Page> {
  const user = visit.shop.session && (await visit.shop.profile())
  if (!user || user.role === 'guest') {
    const content = html`<form class="card-form narrow" method="post" action="/account"><h1>Sign in</h1>
      ${fields(visit, 'Username or e-mail', 'current', 'Sign in')}
      <p class="muted">New here? Buy as a guest; you can register afterwards.</p></form>`
    return { title: 'Sign in', content }
  }
  const { data: orders } = await visit.shop.orders.list({ sort: 'created_at', order: 'desc' })
  const title = `Hello, ${user.name}`
  const content = html`<section class="narrow"><h1>${title}</h1>
    ${orders.length === 0 && html`<p class="muted">You have not ordered anything yet.</p>`}
    <ul class="orders">${orders.map(
      ({ id, status, total, currency }) => html`<li>
        <a href="/orders/${id}">Order ${id}</a>
        <span class="tag">${status}</span><span class="price">${money(total, currency)}</span></li>`,
    )}</ul>
    <form method="post" action="/sign-out"><button class="quiet">Sign out</button></form></section>`
  return { title, content }
}

export const registrationForm = (visit: Visit) =>
  html`<form class="card-form" method="post" action="/orders/${visit.id}/account">
    <h2>Keep track of it</h2>
    <p class="muted">Choose a name and a password, and this order is in your account.</p>
    ${fields(visit, 'Username', 'new', 'Create the account')}</form>`

/** Signs in. The cart and the orders of a guest move into the account. */
export async function signIn({ shop, form, remember }: Visit): Promise<string> {
  const { username = '', password = '' } = Object.fromEntries(form)
  const guest = shop.session && { guest_token: shop.session.refresh_token }
  await shop.login({ username, password, ...guest })
  remember()
  return '/account'
}

/** Makes an account of a guest, which holds the orders of the guest. */
export async function register({ shop, form, remember }: Visit): Promise<string> {
  const { username = '', password = '' } = Object.fromEntries(form)
  await (await shop.profile()).register({ username, password })
  await shop.login({ username, password })
  remember()
  return '/account'
}

export async function signOut({ shop }: Visit): Promise<string> {
  await shop.logout()
  return '/'
}
