import type { Page, Visit } from './page.ts'

/** Shows the orders of a customer, or the form to sign in. */
export async function showAccount({ shop }: Visit): Promise<Page> {
  const user = shop.session && (await shop.profile())
  if (!user || user.role === 'guest') return { view: 'sign-in', title: 'Sign in' }
  const { data: orders } = await shop.orders.list({ sort: 'created_at', order: 'desc' })
  return { view: 'account', title: `Hello, ${user.name}`, data: { orders } }
}

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
