/** Every version of the API that is served. */
export const versions = [1, 2] as const

/** What the responses of an API version state about it. */
export interface VersionNotice {
  readonly headers: Readonly<Record<string, string>>
  /** A Link beside the others of the response; undefined for a version that is not deprecated. */
  readonly link: string | undefined
}

const prefixes = versions.map((version) => `/v${version}`)

/** Reads a version as clients write it; undefined for one that is not served. */
export const toVersion = (text: string): number | undefined =>
  versions.find((version) => String(version) === text)

/** The version prefix of an address, such as `/v1`; empty where it has none that is served. */
export function prefixOf(url: string): string {
  // Every address comes by here, and few have a version.
  if (url[1] !== 'v') return ''
  return prefixes.find((prefix) => url.startsWith(prefix) && endsAt(url, prefix.length)) ?? ''
}

const endsAt = (url: string, at: number): boolean =>
  url.length === at || url[at] === '/' || url[at] === '?'

/** The address without its version prefix. */
export function withoutPrefix(url: string): string {
  const prefix = prefixOf(url)
  if (prefix === '') return url
  const rest = url.slice(prefix.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
