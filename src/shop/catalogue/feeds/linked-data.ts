import { productPage } from './product-url.ts'

/** An amount of the first version of the API, or of a later one. */
type Amount = number | { readonly amount: string }

/** What the representation of a product has for search engines. */
interface RepresentedProduct {
  readonly id: number
  readonly handle: string | null
  readonly name: string
  readonly description: string
  readonly sku: string | null
  readonly gtin: string | null
  readonly brand: string | null
  readonly price: Amount
  readonly price_from?: Amount | null
  readonly currency: string
  readonly availability: string | { readonly status: string }
  readonly image_url: string | null
  readonly images: readonly { readonly urls: Readonly<Record<string, string>> }[]
  readonly option_names?: readonly string[]
  readonly rating: { readonly average: number | null; readonly count: number }
}

const availabilities: Readonly<Record<string, string>> = {
  in_stock: 'InStock',
  out_of_stock: 'OutOfStock',
  preorder: 'PreOrder',
  backorder: 'BackOrder',
  discontinued: 'Discontinued',
}

const amountOf = (amount: Amount): number | string =>
  typeof amount === 'number' ? amount : amount.amount

/** The offer of a product; of one with variants, from the lowest of their prices. */
function offerOf(product: RepresentedProduct, url: string | undefined): object {
  const { availability, currency, price, price_from, option_names } = product
  const word = typeof availability === 'string' ? availability : availability.status
  const common = {
    priceCurrency: currency,
    availability: `https://schema.org/${availabilities[word] ?? 'InStock'}`,
    url,
  }
  return option_names
    ? { '@type': 'AggregateOffer', lowPrice: amountOf(price_from ?? price), ...common }
    : { '@type': 'Offer', price: amountOf(price), ...common }
}

/** Returns a product with the path of its category in the words of schema.org, as JSON-LD. */
export function linkedProduct(
  product: RepresentedProduct,
  path: readonly string[] | null,
  productUrl: string | undefined,
): object {
  const { name, description, sku, gtin, brand, images, image_url, rating } = product
  const url = productUrl === undefined ? undefined : productPage(productUrl, product)
  const pictures = images.flatMap(({ urls }) => urls['1280'] ?? [])
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    productID: String(product.id),
    name,
    description: description || undefined,
    url,
    image: pictures.length > 0 ? pictures : (image_url ?? undefined),
    sku: sku ?? undefined,
    gtin: gtin ?? undefined,
    brand: brand === null ? undefined : { '@type': 'Brand', name: brand },
    category: path?.join(' > '),
    offers: offerOf(product, url),
    aggregateRating:
      rating.average === null
        ? undefined
        : {
            '@type': 'AggregateRating',
            ratingValue: rating.average,
            reviewCount: rating.count,
            bestRating: 5,
            worstRating: 1,
          },
  }
}
