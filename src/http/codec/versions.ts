import { toHttpDate } from '#values/instant.ts'

/** Every version of the API that is served. */
export const versions = [1, 2] as const

/** What every answer of a version tells of it. */
export interface VersionNotice {
  readonly headers: Readonly<Record<string, string>>
  /** A Link that stands beside the others of the answer; undefined for a version that stays. */
  readonly link: string | undefined
}

const supersededAt = Date.UTC(2026, 10, 21)
const servedUntil = Date.UTC(2028, 10, 21)

/** Where the changes between versions are told. */
export const changesPath = '/changes'

/** What answers tell of their version: its number and, once there is a newer one, its end. */
export const versionNotices: ReadonlyMap<number, VersionNotice> = new Map([
  [
    1,
    {
      headers: {
        'api-version': '1',
        // RFC 9745: a date of RFC 9651, in seconds.
        deprecation: `@${supersededAt / 1000}`,
        // RFC 8594.
        sunset: toHttpDate(servedUntil),
      },
      link: `<${changesPath}>; rel="deprecation"; type="text/markdown"`,
    },
  ],
  [2, { headers: { 'api-version': '2' }, link: undefined }],
])

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
