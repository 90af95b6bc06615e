/** With the other header fields, a `Link` of this length fits into 4 kB, which proxies buffer by default. */
const maxLength = 2_500

/**
 * Returns the `Link` header field of links (RFC 8288), the one to the next page alone if all of them are
 * too long, and none if that is too. `pagination` in the body always has the cursor.
 */
export function linkHeader(links: readonly string[]): { readonly link?: string } {
  const next = links.filter((link) => link.endsWith('rel="next"'))
  const link = [links, next]
    .map((each) => each.join(', '))
    .find((text) => text !== '' && text.length <= maxLength)
  return link === undefined ? {} : { link }
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the link to a page: the path with the parameters of `query` that are not undefined. */
export function pageLink(rel: string, path: string, query: Query): string {
  const params = Object.entries(query).flatMap(([name, sent = []]) =>
    [sent].flat().map((value): [string, string] => [name, value]),
  )
  return `<${path}?${new URLSearchParams(params)}>; rel="${rel}"`
}
