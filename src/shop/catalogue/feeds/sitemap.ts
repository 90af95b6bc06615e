import { escapeText } from '#http/codec/xml/text.ts'
import { toIsoText } from '#values/instant.ts'

/** The largest number of pages of a sitemap (https://www.sitemaps.org/protocol.html). */
export const maxPagesOfSitemap = 50_000

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The beginning and the end of the addresses of pages. */
export const sitemapStart = `${declaration}<urlset xmlns="${namespace}">\n`
export const sitemapEnd = '</urlset>\n'

/** The entry of a page. */
export const sitemapEntry = (address: string, changedAt: number): string =>
  `<url><loc>${escapeText(address)}</loc><lastmod>${toIsoText(changedAt)}</lastmod></url>\n`

/** The index of as many sitemaps as the pages need. */
export function sitemapIndex(pages: number, baseUrl: string): string {
  const parts = Array.from({ length: Math.ceil(pages / maxPagesOfSitemap) }, (_, at) => at + 1)
  const entries = parts.map(
    (part) => `<sitemap><loc>${escapeText(`${baseUrl}/sitemap/${part}`)}</loc></sitemap>\n`,
  )
  return `${declaration}<sitemapindex xmlns="${namespace}">\n${entries.join('')}</sitemapindex>\n`
}
