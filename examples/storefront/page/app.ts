import { Problem } from '@cartwright/client'
import { showCatalogue, showProduct } from './catalogue.ts'
import { showAccount, showCart, showCheckout, showOrder } from './checkout.ts'
import { el } from './element.ts'
import { currentUser, explain, shop, showCount } from './shop.ts'

const main = document.getElementById('main') ?? document.body
let shown = 0

/** Returns the page of an address such as `#/products/7`. */
function pageAt(hash: string): Promise<HTMLElement> {
  const [path = '/', query = ''] = hash.slice(1).split('?')
  const [, section = '', id = ''] = path.split('/')
  if (section === 'products' && id) return showProduct(id)
  if (section === 'orders' && id) return showOrder(id)
  if (section === 'cart') return showCart()
  if (section === 'checkout') return showCheckout()
  if (section === 'account') return showAccount()
  return showCatalogue(new URLSearchParams(query))
}

const skeleton = () =>
  el(
    'div',
    { class: 'skeleton', role: 'status', 'aria-label': 'Loading' },
    Array.from({ length: 8 }, () => el('div')),
  )

function errorPage(error: unknown): HTMLElement {
  const isGone = error instanceof Problem && [404, 410].includes(error.status)
  return el(
    'div',
    { class: 'empty' },
    el('h1', {}, isGone ? 'This is no longer here' : 'Something went wrong'),
    el('p', {}, explain(error)),
    el('button', { type: 'button', click: () => show() }, 'Try again'),
    el('p', {}, el('a', { href: '#/' }, 'Back to the shop')),
  )
}

async function show(): Promise<void> {
  shown += 1
  const mine = shown
  const waiting = setTimeout(() => main.replaceChildren(skeleton()), 150)
  const page = await pageAt(location.hash).catch(errorPage)
  clearTimeout(waiting)
  // Another page was asked for meanwhile.
  if (mine !== shown) return
  main.replaceChildren(page)
  const title = page.querySelector('h1')?.textContent ?? 'Shop'
  document.title = `${title} · Hearth & Field`
}

const search = document.querySelector<HTMLFormElement>('.search')
search?.addEventListener('submit', (event) => {
  event.preventDefault()
  location.hash = `#/?q=${encodeURIComponent(String(new FormData(search).get('q')))}`
})
addEventListener('hashchange', async (event) => {
  await show()
  // A new page begins at its top; a page that was only updated stays where it is.
  if (event.oldURL === '') return
  scrollTo(0, 0)
  main.focus({ preventScroll: true })
})

// The bank sends the buyer back with `?order=`.
const order = new URLSearchParams(location.search).get('order')
if (order) history.replaceState(null, '', `/#/orders/${encodeURIComponent(order)}`)
await show()
if (await currentUser()) showCount((await shop.cart.get()).item_count)
