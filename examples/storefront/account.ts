import { html, money } from './html.ts'
import { alertOf, field, type Page, type Visit } from './page.ts'

/** Shows the orders of a customer, or the form to sign in. */
export async function showAccount(visit: Visit): Promise<Page> {
  const { shop } = visit
  const user = shop.session && (await shop.profile())
  if (!user || user.role === 'guest') return { title: 'Sign in', content: signInForm(visit) }
  const { data: orders } = await shop.orders.list({ sort: 'created_at', order: 'desc' })
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

const signInForm = (visit: Visit) => html`<form class="card-form narrow" method="post">
  <h1>Sign in</h1>
  ${field(visit, 'Username or e-mail', 'username', html`autocomplete="username"`)}
  ${field(visit, 'Password', 'password', html`type="password" autocomplete="current-password"`)}
  <button>Sign in</button>${alertOf(visit)}
  <p class="muted">New here? Buy as a guest; you can register afterwards.</p></form>`

/** Signs in. The cart and the orders of a guest move into the account. */
export async function signIn({ shop, form, remember }: Visit): Promise<string> {
  const { username = '', password = '' } = Object.fromEntries(form)
  const guest = shop.session && { guest_token: shop.session.refresh_token }
  await shop.login({ username, password, ...guest })
  remember()
  return '/account'
}

export async function signOut({ shop }: Visit): Promise<string> {
  await shop.logout()
  return '/'
}
