import { pictureOf } from './art.ts'
import { el } from './element.ts'
import { attempt, money, openCart, type Product, shop, showCount, toast } from './shop.ts'

const filters = ['category', 'availability', 'q', 'sort'] as const
const words = (text: string): string => text.replaceAll('_', ' ')
const sorts: Readonly<
  Record<string, readonly [string, 'name' | 'price' | 'rating', 'asc' | 'desc']>
> = {
  best: ['Best rated', 'rating', 'desc'],
  low: ['Price, low to high', 'price', 'asc'],
  high: ['Price, high to low', 'price', 'desc'],
  name: ['Name', 'name', 'asc'],
}

const stars = ({ rating }: Product) =>
  rating.average !== null &&
  el(
    'span',
    {
      class: 'stars',
      role: 'img',
      'aria-label': `${rating.average} of 5 stars, ${rating.count} reviews`,
    },
    '★★★★★'.slice(0, Math.round(rating.average)).padEnd(5, '☆'),
    el('span', { 'aria-hidden': 'true' }, ` ${rating.count}`),
  )

/** Returns the price of a product, or the lowest of its variants. */
const priceOf = ({ price, price_from, currency }: Product): string =>
  price_from == null ? money(price, currency) : `from ${money(price_from, currency)}`

const card = (product: Product) =>
  el(
    'li',
    { class: `card ${product.availability}` },
    el('div', { class: 'frame' }, pictureOf(product)),
    el('p', { class: 'kind' }, product.category ?? '', stars(product)),
    el('h3', {}, el('a', { href: `#/products/${product.id}` }, product.name)),
    el(
      'p',
      { class: 'price' },
      priceOf(product),
      product.availability !== 'in_stock' &&
        el('span', { class: 'tag' }, words(product.availability)),
    ),
  )

/** Adds a product to the cart, as a new guest if nobody is signed in. */
async function add(product: Product, quantity: number): Promise<void> {
  await openCart()
  await shop.cart.add({ product_id: product.id, quantity })
  showCount((await shop.cart.get()).item_count)
  toast(`${product.name} is in your cart.`)
}

/** Shows the products that match the query of the address, with their facets. */
export async function showCatalogue(query: URLSearchParams): Promise<HTMLElement> {
  const chosen = Object.fromEntries(filters.map((name) => [name, query.get(name) ?? undefined]))
  const [, sort = 'rating', order = 'desc'] = sorts[chosen['sort'] ?? 'best'] ?? []
  const { category, availability, q } = chosen
  const list = {
    ...(category !== undefined && { category: [category] }),
    ...(availability !== undefined && { availability: [availability as 'in_stock'] }),
    ...(q !== undefined && { q }),
    ...{ sort, order, limit: 24 },
  }
  const page = await shop.products.list({ ...list, facets: ['category', 'availability'] })
  const hrefWith = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(query)
    if (value === undefined) next.delete(name)
    else next.set(name, value)
    return `#/?${next}`
  }
  const facet = (name: 'category' | 'availability', title: string) =>
    el(
      'section',
      {},
      el('h2', {}, title),
      el(
        'ul',
        {},
        [{ value: undefined, count: 0 }, ...(page.facets?.[name] ?? [])].map(({ value, count }) => {
          const current = query.get(name) === (value ?? null)
          const properties = {
            href: hrefWith(name, value?.toString()),
            'aria-current': current && 'true',
          }
          const text = value === undefined ? 'All' : words(String(value))
          return el('li', {}, el('a', properties, text, count > 0 && el('span', {}, count)))
        }),
      ),
    )
  const grid = el('ul', { class: 'grid' }, page.data.map(card))
  let cursor = page.pagination.next_cursor
  const more = el(
    'button',
    { type: 'button', class: 'quiet', hidden: cursor === null },
    'Show more',
  )
  more.addEventListener('click', async () => {
    if (cursor === null) return
    more.disabled = true
    const next = await shop.products.list({ ...list, cursor }).finally(() => {
      more.disabled = false
    })
    const cards = next.data.map(card)
    grid.append(...cards)
    cards[0]?.querySelector('a')?.focus()
    cursor = next.pagination.next_cursor
    more.hidden = cursor === null
  })
  const choose = el(
    'select',
    { id: 'sort', change: () => location.assign(hrefWith('sort', choose.value)) },
    Object.entries(sorts).map(([value, [text]]) =>
      el('option', { value, selected: (chosen['sort'] ?? 'best') === value }, text),
    ),
  )
  const { total_items: total } = page.pagination
  const title = q ? `Results for “${q}”` : (category ?? 'Everything')
  const isFront = query.size === 0
  return el(
    'div',
    {},
    isFront &&
      el(
        'section',
        { class: 'hero' },
        el('h1', {}, 'Good things', el('br'), 'for slow days'),
        el('p', {}, 'Pans that outlive you, linen that softens, tools that earn their place.'),
        el('a', { class: 'button', href: '#/?category=kitchen' }, 'Start in the kitchen'),
      ),
    el(
      'div',
      { class: 'shelf' },
      el(
        'aside',
        { 'aria-label': 'Filters' },
        facet('category', 'Category'),
        facet('availability', 'Availability'),
      ),
      el(
        'section',
        {},
        el(
          'div',
          { class: 'bar' },
          el(isFront ? 'h2' : 'h1', { class: 'title' }, title),
          el('p', {}, `${total} ${total === 1 ? 'product' : 'products'}`),
          el('label', { for: 'sort' }, 'Sort by '),
          choose,
        ),
        total > 0
          ? grid
          : el(
              'div',
              { class: 'empty' },
              el('h2', {}, 'Nothing here yet'),
              el('p', {}, 'No product matches. Try fewer words or another category.'),
              el('a', { class: 'button', href: '#/' }, 'Show everything'),
            ),
        more,
      ),
    ),
  )
}

/** Shows one product with its reviews and related products. */
export async function showProduct(id: string): Promise<HTMLElement> {
  const product = await shop.products.get(id)
  const [reviews, related, variants] = await Promise.all([
    product.follow('reviews', { limit: 4 }),
    product.relatedProducts({ limit: 4 }),
    product.can('variants') ? product.variants() : undefined,
  ])
  const buyable = (variants?.data ?? [product]).filter((one) => one.can('add_to_cart'))
  const choice = el(
    'select',
    { id: 'variant' },
    buyable.map((one) =>
      el(
        'option',
        { value: one.id },
        `${Object.values(one.options ?? {}).join(', ')} — ${money(one.price, one.currency)}`,
      ),
    ),
  )
  const quantity = el('input', {
    id: 'quantity',
    type: 'number',
    min: 1,
    max: 99,
    value: 1,
    required: true,
  })
  const form = el(
    'form',
    {
      class: 'buy',
      submit: (event: Event) => {
        event.preventDefault()
        const wanted = variants ? buyable.find((one) => String(one.id) === choice.value) : product
        if (wanted) void attempt(form, () => add(wanted, quantity.valueAsNumber))
      },
    },
    variants && [el('label', { for: 'variant' }, 'Choose'), choice],
    el('label', { for: 'quantity' }, 'Quantity'),
    quantity,
    el('button', {}, 'Add to cart'),
  )
  return el(
    'article',
    { class: 'product' },
    el('div', { class: 'frame' }, pictureOf(product, '640')),
    el(
      'div',
      {},
      el(
        'p',
        { class: 'kind' },
        el('a', { href: `#/?category=${product.category ?? ''}` }, product.category ?? ''),
        stars(product),
      ),
      el('h1', {}, product.name),
      el('p', { class: 'price' }, priceOf(product)),
      el('p', { class: 'lead' }, product.description ?? ''),
      buyable.length > 0
        ? form
        : el('p', { class: 'alert' }, `This product is ${words(product.availability)}.`),
      product.stock !== null &&
        product.stock > 0 &&
        product.stock < 10 &&
        el('p', { class: 'few' }, `Only ${product.stock} left`),
    ),
    el(
      'section',
      { class: 'reviews' },
      el('h2', {}, 'What buyers say'),
      reviews.data.length === 0 &&
        el('p', { class: 'muted' }, 'No reviews yet. Yours could be the first.'),
      reviews.data.map(({ rating, title, body, author }) =>
        el(
          'blockquote',
          {},
          el(
            'span',
            { class: 'stars', role: 'img', 'aria-label': `${rating} of 5 stars` },
            '★'.repeat(rating).padEnd(5, '☆'),
          ),
          el('b', {}, title ?? ''),
          el('p', {}, body ?? ''),
          el('cite', {}, author ?? 'A buyer'),
        ),
      ),
    ),
    related.data.length > 0 &&
      el(
        'section',
        { class: 'related' },
        el('h2', {}, 'Goes well with'),
        el('ul', { class: 'grid' }, related.data.map(card)),
      ),
  )
}
