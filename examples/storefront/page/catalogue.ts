import { html, toElement } from './html.ts'
import { currentUser, money, onSubmit, type Product, shop, showCount, toast } from './shop.ts'

const words = (text: string | null): string => (text ?? '').replaceAll('_', ' ')

const picture = ({ images = [] }: Product, width: '320' | '640') =>
  html`<div class="frame">${images
    .slice(0, 1)
    .map(
      ({ urls }) =>
        html`<img src="/api${new URL(urls[width], location.href).pathname}" alt="" loading="lazy">`,
    )}</div>`

const starred = (rating: number) => '★'.repeat(Math.round(rating)).padEnd(5, '☆')

const stars = ({ rating: { average, count } }: Product) =>
  average !== null &&
  html`<span class="stars" role="img" aria-label="${average} of 5 stars, ${count} reviews">${starred(average)} ${count}</span>`

/** The price of a product, or the lowest of its variants. */
const priceOf = ({ price, price_from, currency }: Product): string =>
  price_from == null ? money(price, currency) : `from ${money(price_from, currency)}`

const card = (product: Product) => html`<li class="card ${product.availability}">
  ${picture(product, '320')}
  <p class="kind">${product.category} ${stars(product)}</p>
  <h3><a href="#/products/${product.id}">${product.name}</a></h3>
  <p class="price">${priceOf(product)} ${
    product.availability !== 'in_stock' &&
    html`<span class="tag">${words(product.availability)}</span>`
  }</p></li>`

const hero = html`<section class="hero"><h1>Good things<br>for slow days</h1>
  <p>Pans that outlive you, linen that softens, tools that earn their place.</p>
  <a class="button" href="#/?category=kitchen">Start in the kitchen</a></section>`

const nothing = html`<div class="empty"><h2>Nothing here yet</h2>
  <p>No product matches. Try fewer words or another category.</p>
  <a class="button" href="#/">Show everything</a></div>`

/** Shows the products that match the query of the address, with their facets. */
export async function showCatalogue(query: URLSearchParams): Promise<HTMLElement> {
  const [category, availability, q] = ['category', 'availability', 'q'].map((name) =>
    query.get(name),
  )
  const list = {
    ...(category && { category: [category] }),
    ...(availability && { availability: [availability as 'in_stock'] }),
    ...(q && { q }),
    ...({ sort: 'rating', order: 'desc', limit: 24 } as const),
  }
  const found = await shop.products.list({ ...list, facets: ['category', 'availability'] })
  const facet = (name: 'category' | 'availability', title: string) => {
    const values = found.facets?.[name] ?? []
    return html`<section><h2>${title}</h2><ul>${[{ value: '', count: 0 }, ...values].map((each) => {
      const next = new URLSearchParams([...query].filter(([other]) => other !== name))
      if (each.value !== '') next.set(name, String(each.value))
      const isCurrent = (query.get(name) ?? '') === each.value
      return html`<li><a href="#/?${String(next)}" ${isCurrent && html`aria-current="true"`}>${
        words(String(each.value)) || 'All'
      } ${each.count > 0 && html`<span>${each.count}</span>`}</a></li>`
    })}</ul></section>`
  }
  const { total_items: total } = found.pagination
  const title = q ? `Results for “${q}”` : (category ?? 'Everything')
  const page = toElement(html`<div>${query.size === 0 && hero}
    <div class="shelf">
      <aside aria-label="Filters">${facet('category', 'Category')} ${facet('availability', 'Availability')}</aside>
      <section>
        <div class="bar">${query.size === 0 ? html`<h2 class="title">${title}</h2>` : html`<h1 class="title">${title}</h1>`}
          <p>${total} ${total === 1 ? 'product' : 'products'}</p></div>
        ${total > 0 ? html`<ul class="grid">${found.data.map(card)}</ul>` : nothing}
        <button type="button" class="quiet">Show more</button>
      </section>
    </div></div>`)
  const more = page.querySelector<HTMLButtonElement>('button.quiet')
  let cursor = found.pagination.next_cursor
  if (more === null) return page
  more.hidden = cursor === null
  more.addEventListener('click', async () => {
    if (cursor === null) return
    const next = await shop.products.list({ ...list, cursor })
    const cards = next.data.map((product) => toElement(card(product)))
    page.querySelector('.grid')?.append(...cards)
    cards[0]?.querySelector('a')?.focus()
    cursor = next.pagination.next_cursor
    more.hidden = cursor === null
  })
  return page
}

const buyForm = (buyable: readonly Product[], hasVariants: boolean) => html`<form class="buy">${
  hasVariants &&
  html`<label for="variant">Choose</label><select id="variant" name="product">${buyable.map(
    ({ id, options, price, currency }) =>
      html`<option value="${id}">${Object.values(options ?? {}).join(', ')} — ${money(price, currency)}</option>`,
  )}</select>`
}<label for="quantity">Quantity</label>
  <input id="quantity" name="quantity" type="number" min="1" max="99" value="1" required>
  <button>Add to cart</button></form>`

/** Shows one product with its reviews and related products. */
export async function showProduct(id: string): Promise<HTMLElement> {
  const product = await shop.products.get(id)
  const [reviews, related, variants] = await Promise.all([
    product.follow('reviews', { limit: 4 }),
    product.relatedProducts({ limit: 4 }),
    product.can('variants') ? product.variants() : undefined,
  ])
  const buyable = (variants?.data ?? [product]).filter((one) => one.can('add_to_cart'))
  const { stock, category } = product
  const page = toElement(html`<article class="product">${picture(product, '640')}
    <div>
      <p class="kind"><a href="#/?category=${category}">${category}</a> ${stars(product)}</p>
      <h1>${product.name}</h1>
      <p class="price">${priceOf(product)}</p>
      <p class="lead">${product.description}</p>
      ${
        buyable.length > 0
          ? buyForm(buyable, variants !== undefined)
          : html`<p class="alert">This product is ${words(product.availability)}.</p>`
      }
      ${stock !== null && stock > 0 && stock < 10 && html`<p class="few">Only ${stock} left</p>`}
    </div>
    <section class="reviews"><h2>What buyers say</h2>
      ${reviews.data.length === 0 && html`<p class="muted">No reviews yet. Yours could be the first.</p>`}
      ${reviews.data.map(
        ({ rating, title, body, author }) => html`<blockquote>
          <span class="stars" role="img" aria-label="${rating} of 5 stars">${starred(rating)}</span>
          <b>${title}</b><p>${body}</p><cite>${author ?? 'A buyer'}</cite></blockquote>`,
      )}</section>
    ${
      related.data.length > 0 &&
      html`<section class="related"><h2>Goes well with</h2><ul class="grid">${related.data.map(card)}</ul></section>`
    }</article>`)
  onSubmit(page.querySelector('.buy'), async (data) => {
    if ((await currentUser()) === undefined) await shop.guests.start()
    const product_id = Number(data('product')) || product.id
    await shop.cart.add({ product_id, quantity: Number(data('quantity')) })
    showCount((await shop.cart.get()).item_count)
    toast(`${product.name} is in your cart.`)
  })
  return page
}
