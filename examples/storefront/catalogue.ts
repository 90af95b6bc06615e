import type { Page, Visit } from './page.ts'

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
    sort: 'name',
    facets: ['category', 'availability'],
  })
  const facet = (name: 'category' | 'availability', heading: string) => {
    const [selected = ''] = chosen(name)
    const values = [{ value: '', count: 0 }, ...(facets?.[name] ?? [])]
    const hrefOf = (value: unknown) => withParameter(query, name, value)
    return { heading, values, selected, hrefOf }
  }
  const { current_page: current, total_pages: pages } = pagination
  return {
    view: 'catalogue',
    title: q ? `Results for “${q}”` : (chosen('category')[0] ?? 'Everything'),
    data: {
      products: data,
      total: pagination.total_items,
      facets: [facet('category', 'Category'), facet('availability', 'Availability')],
      nextHref: current < pages && withParameter(query, 'page', current + 1),
    },
  }
}

/** Shows one product, and what of it can be bought. */
export async function showProduct({ shop, id }: Visit): Promise<Page> {
  const product = await shop.products.get(id)
  const variants = product.can('variants') ? (await product.variants()).data : undefined
  const buyable = (variants ?? [product]).filter((one) => one.can('add_to_cart'))
  return { view: 'product', title: product.name, data: { product, variants, buyable } }
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
