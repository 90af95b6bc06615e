/** Every version of the API that is served. */
export const versions = [1, 2] as const

/** The latest version of the API. */
export const latestVersion = Math.max(...versions)

/** What the responses of an API version state about it. */
export interface VersionNotice {
  readonly headers: Readonly<Record<string, string>>
  /** A Link beside the others of the response; undefined for a version that is not deprecated. */
  readonly link: string | undefined
}

const prefixes = versions.map((version) => `/v${version}`)

/** Parses a version number; undefined for one that is not served. */
export const toVersion = (text: string): number | undefined =>
  versions.find((version) => String(version) === text)

/** Returns the version prefix of a URL, such as `/v1`; empty without a served version. */
export function prefixOf(url: string): string {
  // A fast path: every request is checked, and few have a prefix.
  if (url[1] !== 'v') return ''
  return prefixes.find((prefix) => url.startsWith(prefix) && isSegmentEnd(url, prefix.length)) ?? ''
}

const isSegmentEnd = (url: string, index: number): boolean =>
  url.length === index || url[index] === '/' || url[index] === '?'

/** Returns the URL without its version prefix. */
export function withoutPrefix(url: string): string {
  const prefix = prefixOf(url)
  if (prefix === '') return url
  const rest = url.slice(prefix.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
