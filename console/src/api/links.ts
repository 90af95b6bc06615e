import type { Body } from './json.ts'

/** A link of a resource; without a method it leads to another page. */
export interface Link {
  readonly name: string
  readonly href: string
  readonly method: string
  readonly body: Body | undefined
}

/** The links of a resource, in their order. */
export function linksOf(body: Body): readonly Link[] {
  const links = (body._links ?? body.links ?? {}) as Readonly<Record<string, Body>>
  return Object.entries(links).map(([name, link]) => ({
    name,
    href: pathOf(String(link.href)),
    method: typeof link.method === 'string' ? link.method : 'GET',
    body: link.body as Body | undefined,
  }))
}

/** The link of this name; undefined if the caller may not follow it now. */
export const linkOf = (body: Body, name: string): Link | undefined =>
  linksOf(body).find((link) => link.name === name)

/** An address of this server as path and query, without the version. */
export function pathOf(href: string): string {
  const url = new URL(href, location.origin)
  if (url.origin !== location.origin) return href
  return url.pathname.replace(/^\/v\d+(?=\/)/, '') + url.search
}

/** The page of the console for a resource. */
export const pageOf = (href: string): string => `/console${href === '/' ? '' : href}`
