import { Problem } from '@cartwright/client'
import { showAccount } from './account.ts'
import { showCatalogue, showProduct } from './catalogue.ts'
import { showCart, showCheckout, showOrder } from './checkout.ts'
import { html, toElement } from './html.ts'
import { currentCart, explain, reload, showCount } from './shop.ts'

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

const skeleton = html`<div class="skeleton" role="status" aria-label="Loading">${Array.from(
  { length: 8 },
  () => html`<div></div>`,
)}</div>`

function errorPage(error: unknown): HTMLElement {
  const isGone = error instanceof Problem && [404, 410].includes(error.status)
  const page = toElement(html`<div class="empty">
    <h1>${isGone ? 'This is no longer here' : 'Something went wrong'}</h1><p>${explain(error)}</p>
    <button type="button">Try again</button><p><a href="#/">Back to the shop</a></p></div>`)
  page.querySelector('button')?.addEventListener('click', reload)
  return page
}

async function show(): Promise<void> {
  shown += 1
  const mine = shown
  const waiting = setTimeout(() => main.replaceChildren(toElement(skeleton)), 150)
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
showCount((await currentCart())?.item_count ?? 0)
