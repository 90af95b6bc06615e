import { field, html, toElement } from './html.ts'
import { currentUser, money, onSubmit, reload, shop, showCount } from './shop.ts'

const signInForm = html`<form class="card-form narrow"><h1>Sign in</h1>
  ${field('Username or e-mail', 'username', html`autocomplete="username"`)}
  ${field('Password', 'password', html`type="password" autocomplete="current-password"`)}
  <button>Sign in</button>
  <p class="muted">New here? Buy as a guest; you can register afterwards.</p></form>`

/** Shows the orders of a customer, or the form to sign in. */
export async function showAccount(): Promise<HTMLElement> {
  const user = await currentUser()
  if (!user || user.role === 'guest') {
    const form = toElement(signInForm)
    onSubmit(form, async (data) => {
      await shop.login({ username: data('username'), password: data('password') })
      showCount((await shop.cart.get()).item_count)
      reload()
    })
    return form
  }
  const { data: orders } = await shop.orders.list({ sort: 'created_at', order: 'desc' })
  const page = toElement(html`<section class="narrow"><h1>Hello, ${user.name}</h1>
    ${orders.length === 0 && html`<p class="muted">You have not ordered anything yet.</p>`}
    <ul class="orders">${orders.map(
      ({ id, status, total, currency }) =>
        html`<li><a href="#/orders/${id}">Order ${id}</a><span class="tag">${status}</span><span class="price">${money(total, currency)}</span></li>`,
    )}</ul>
    <form><button class="quiet">Sign out</button></form></section>`)
  onSubmit(page.querySelector('form'), async () => {
    const sessions = await shop.sessions.list()
    await sessions.data.find((one) => one.is_current)?.delete()
    showCount(0)
    location.hash = '#/'
  })
  return page
}
