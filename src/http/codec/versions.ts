import { toHttpDate } from '#values/instant.ts'

/** Every version of the API that is served. */
export const versions = [1, 2] as const

/** The header fields that responses of a version carry. */
export interface VersionNotice {
  readonly headers: Readonly<Record<string, string>>
  /** An additional Link field; undefined for a version that is not deprecated. */
  readonly link: string | undefined
}

const deprecatedAt = Date.UTC(2026, 10, 21)
const sunsetAt = Date.UTC(2028, 10, 21)

/** Path of the document that lists the changes between versions. */
export const changesPath = '/changes'

/** The header fields of each version: its number and, for a deprecated one, its sunset date. */
export const versionNotices: ReadonlyMap<number, VersionNotice> = new Map([
  [
    1,
    {
      headers: {
        'api-version': '1',
        // RFC 9745: a date of RFC 9651, in seconds.
        deprecation: `@${deprecatedAt / 1000}`,
        // RFC 8594.
        sunset: toHttpDate(sunsetAt),
      },
      link: `<${changesPath}>; rel="deprecation"; type="text/markdown"`,
    },
  ],
  [2, { headers: { 'api-version': '2' }, link: undefined }],
])

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
