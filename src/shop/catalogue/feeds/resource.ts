import { hash } from 'node:crypto'
import type { Context } from '#http/declare/context.ts'
import { feedCache, noAuthentication } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, streamDocument } from '#http/declare/route.ts'
import { resourceWord } from '#i18n/message.ts'
import { findPathsByName } from '#shop/catalogue/categories/tree-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { problem } from '#values/problem.ts'
import { readCatalogueState, readPages, readProducts } from './feed-store.ts'
import { categoryOf, type FeedContext, feedEnd, feedStart, itemOf } from './google-merchant.ts'
import { productPage } from './product-url.ts'
import {
  maxPagesOfSitemap,
  sitemapEnd,
  sitemapEntry,
  sitemapIndex,
  sitemapStart,
} from './sitemap.ts'

const googleMerchant = document({
  name: 'google_merchant_feed',
  description:
    'All products and variants as RSS 2.0 with the attributes of Google Merchant Center.',
  path: '/feeds/google-merchant',
  mediaType: 'application/rss+xml; charset=utf-8',
})

const sitemap = document({
  name: 'sitemap',
  description: 'The pages of all products, or an index of sitemaps of 50,000 each (sitemaps.org).',
  path: '/sitemap',
  mediaType: 'application/xml; charset=utf-8',
})

const sitemapPart = document({
  name: 'sitemap_part',
  description: 'A sitemap of the index.',
  path: '/sitemap/:part',
  mediaType: 'application/xml; charset=utf-8',
})

const policy = {
  access: noAuthentication,
  rateLimit: 'default',
  cache: feedCache,
  problems: ['4041'],
} as const

const missing = () => problem('4041', 'detail.no_resource', { name: resourceWord('sitemap') })

/** The feeds of the catalogue; 404/4041 without PRODUCT_URL, from which the addresses of pages follow. */
export function feedRoutes(shop: Shop, shopName: string, baseUrl: string): readonly Route[] {
  const contextOf = (): FeedContext => {
    const { productUrl, currency, currencyDigits } = shop
    if (productUrl === undefined) throw missing()
    return { productUrl, currency, currencyDigits, baseUrl }
  }
  const pagesFrom = async function* (db: Db, from: number) {
    const { productUrl } = contextOf()
    yield sitemapStart
    for await (const pages of readPages(db, from, maxPagesOfSitemap)) {
      const entries = pages.map((page) =>
        sitemapEntry(productPage(productUrl, page), page.updated_at),
      )
      yield entries.join('')
    }
    yield sitemapEnd
  }
  // Settings change what feeds say, too.
  const settings = hash('sha256', JSON.stringify([shopName, baseUrl, shop.productUrl]), 'base64url')
  const stateOf = async ({ db, now }: Context) => {
    contextOf()
    const { validator, pages } = await readCatalogueState(db, now)
    return { pages, validator: `${validator}.${settings.slice(0, 8)}` }
  }
  return [
    streamDocument(googleMerchant, {
      ...policy,
      operationId: 'getGoogleMerchantFeed',
      summary: 'Returns all products and variants for Google Merchant Center.',
      open: async (ctx) => {
        const { validator } = await stateOf(ctx)
        return { validator, read: (db) => itemsOf(db, shopName, contextOf()) }
      },
    }),
    streamDocument(sitemap, {
      ...policy,
      operationId: 'getSitemap',
      summary: 'Returns the pages of all products for search engines.',
      open: async (ctx) => {
        const { validator, pages } = await stateOf(ctx)
        const isWhole = pages <= maxPagesOfSitemap
        const index = async function* () {
          yield sitemapIndex(pages, baseUrl)
        }
        return { validator, read: (db) => (isWhole ? pagesFrom(db, 0) : index()) }
      },
    }),
    streamDocument(sitemapPart, {
      ...policy,
      operationId: 'getSitemapPart',
      summary: 'Returns a sitemap of the index.',
      open: async (ctx, { params: { part } }) => {
        const { validator, pages } = await stateOf(ctx)
        const from = (part - 1) * maxPagesOfSitemap
        if (!(from >= 0 && from < Math.max(pages, 1))) throw missing()
        return { validator, read: (db) => pagesFrom(db, from) }
      },
    }),
  ]
}

async function* itemsOf(db: Db, shopName: string, context: FeedContext): AsyncGenerator<string> {
  yield feedStart(shopName, context)
  for await (const products of readProducts(db)) {
    const names = products.flatMap(({ product, parent }) => categoryOf(product, parent) ?? [])
    const paths = await findPathsByName(db, [...new Set(names)])
    yield products.map(({ product, parent }) => itemOf(product, parent, context, paths)).join('')
  }
  yield feedEnd
}
