import type { VersionNotice } from '#http/codec/versions.ts'
import { toHttpDate } from '#values/instant.ts'

const version1DeprecatedAt = Date.UTC(2026, 10, 21)
const version1SunsetAt = Date.UTC(2028, 10, 21)

/** The path of the page that lists the changes between versions. */
export const changesPath = '/changes'

/** The number of each version and, once there is a newer one, its deprecation and end. */
export const versionNotices: ReadonlyMap<number, VersionNotice> = new Map([
  [
    1,
    {
      headers: {
        'api-version': '1',
        // RFC 9745: a Date of RFC 9651, in seconds.
        deprecation: `@${version1DeprecatedAt / 1000}`,
        // RFC 8594.
        sunset: toHttpDate(version1SunsetAt),
      },
      link: `<${changesPath}>; rel="deprecation"; type="text/markdown"`,
    },
  ],
  [2, { headers: { 'api-version': '2' }, link: undefined }],
])
