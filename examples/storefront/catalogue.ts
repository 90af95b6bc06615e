import type { Resource, Schemas } from '#client/src/client.ts'
import { alertOf, html, money, type Page, type Visit } from './page.ts'

type Product = Resource<Schemas['Product']>

const words = (text: string): string => text.replaceAll('_', ' ')

const picture = ({ images = [] }: Product, width: '320' | '640') =>
  html`<div class="frame">${images[0] && html`<img src="${images[0].urls[width]}" alt="" loading="lazy">`}</div>`

const stars = ({ rating: { average, count } }: Product) =>
  average !== null &&
  html`<span class="stars" role="img" aria-label="${average} of 5 stars, ${count} reviews">
    ${'★'.repeat(Math.round(average)).padEnd(5, '☆')} ${count}</span>`

/** The price of a product, or the lowest of its variants. */
const priceOf = ({ price, price_from, currency }: Product): string =>
  price_from == null ? money(price, currency) : `from ${money(price_from, currency)}`

function card(product: Product) {
  const { id, name, category, availability } = product
  const tag = html`<span class="tag">${words(availability)}</span>`
  return html`<li class="card ${availability}">${picture(product, '320')}
    <p class="kind">${category} ${stars(product)}</p>
    <h2><a href="/products/${id}">${name}</a></h2>
    <p class="price">${priceOf(product)} ${availability !== 'in_stock' && tag}</p></li>`
}

const nothing = html`<div class="empty"><h2>Nothing here yet</h2>
  <p>No product matches. Try fewer words or another category.</p>
  <a class="button" href="/">Show everything</a></div>`

/** The address of the same list with another value of a parameter. */
function withParameter(query: URLSearchParams, name: string, value: unknown): string {
  const next = new URLSearchParams([...query].filter(([other]) => ![name, 'page'].includes(other)))
  if (value !== '') next.set(name, String(value))
  return `/?${next}`
}

/** Shows the products that match the query of the address, with their facets. */
export async function showCatalogue({ shop, query }: Visit): Promise<Page> {
  const q = query.get('q')
  const chosen = (name: string) => query.getAll(name).filter((value) => value !== '')
  const { data, facets, pagination } = await shop.products.list({
    ...(q && { q }),
    category: chosen('category'),
    availability: chosen('availability') as 'in_stock'[],
    page: Number(query.get('page') ?? 1),
    limit: 24,
    sort: 'rating',
    order: 'desc',
    facets: ['category', 'availability'],
  })
  const facet = (name: 'category' | 'availability', heading: string) => {
    const [selected = ''] = chosen(name)
    return html`<section><h2>${heading}</h2><ul>${[
      { value: '', count: 0 },
      ...(facets?.[name] ?? []),
    ].map(
      ({ value, count }) => html`<li>
        <a href="${withParameter(query, name, value)}" ${value === selected && html`aria-current="true"`}>
          <span>${words(String(value)) || 'All'}</span> ${count > 0 && html`<small>${count}</small>`}</a></li>`,
    )}</ul></section>`
  }
  const { total_items: total, total_pages: pages, current_page: current } = pagination
  const title = q ? `Results for “${q}”` : (chosen('category')[0] ?? 'Everything')
  const next = withParameter(query, 'page', current + 1)
  const content = html`<div class="shelf">
    <aside aria-label="Filters">${facet('category', 'Category')} ${facet('availability', 'Availability')}</aside>
    <section>
      <div class="bar"><h1 class="title">${title}</h1>
        <p>${total} ${total === 1 ? 'product' : 'products'}</p></div>
      ${total > 0 ? html`<ul class="grid">${data.map(card)}</ul>` : nothing}
      ${current < pages && html`<a class="button quiet" rel="next" href="${next}">Next page</a>`}
    </section></div>`
  return { title, content }
}

/** Shows one product, and what of it can be bought. */
export async function showProduct(visit: Visit): Promise<Page> {
  const product = await visit.shop.products.get(visit.id)
  const variants = product.can('variants') ? (await product.variants()).data : undefined
  const buyable = (variants ?? [product]).filter((one) => one.can('add_to_cart'))
  const { name, description, stock, category, availability } = product
  const choice = html`<label for="variant">Choose</label><select id="variant" name="variant">${buyable.map(
    ({ id, options, price, currency }) =>
      html`<option value="${id}">${Object.values(options ?? {}).join(', ')} — ${money(price, currency)}</option>`,
  )}</select>`
  const buyForm = html`<form class="buy" method="post">${variants && choice}
    <label for="quantity">Quantity</label>
    <input id="quantity" name="quantity" type="number" min="1" max="99" value="1" required>
    <button>Add to cart</button></form>`
  const content = html`<article class="product">${picture(product, '640')}
    <div>
      <p class="kind"><a href="/?category=${category}">${category}</a> ${stars(product)}</p>
      <h1>${name}</h1>
      <p class="price">${priceOf(product)}</p>
      <p class="lead">${description}</p>
      ${buyable.length > 0 ? buyForm : html`<p class="alert">This product is ${words(availability)}.</p>`}
      ${alertOf(visit)}
      ${stock !== null && stock > 0 && stock < 10 && html`<p class="few">Only ${stock} left</p>`}
    </div></article>`
  return { title: name, content }
}

/** Adds a product to the cart of the visitor, who becomes a guest with it. */
export async function addToCart({ shop, id, form, remember }: Visit): Promise<string> {
  if (!shop.session) {
    await shop.guests.start()
    remember()
  }
  const product_id = Number(form.get('variant') ?? id)
  await shop.cart.add({ product_id, quantity: Number(form.get('quantity')) })
  return '/cart'
}
