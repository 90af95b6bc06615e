import type { VersionNotice } from '#http/message/api-versions.ts'
import { type Instant, toHttpDate } from '#values/instant.ts'

/** When version 2 was published. */
const version2PublishedAt = Date.UTC(2026, 10, 21)

/** The path of the page that lists the changes between versions. */
export const changesPath = '/changes'

/** Returns what responses state about each version; version 1 is deprecated if it has a sunset. */
export const versionNotices = (sunsetV1: Instant | undefined): ReadonlyMap<number, VersionNotice> =>
  new Map([
    [1, sunsetV1 === undefined ? currentVersion(1) : deprecatedVersion(1, sunsetV1)],
    [2, currentVersion(2)],
  ])

const currentVersion = (version: number): VersionNotice => ({
  headers: { 'api-version': String(version) },
  link: undefined,
})

const deprecatedVersion = (version: number, sunsetAt: Instant): VersionNotice => ({
  headers: {
    'api-version': String(version),
    // RFC 9745: a Date of RFC 9651, in seconds; never later than the sunset.
    deprecation: `@${Math.min(version2PublishedAt, sunsetAt) / 1000}`,
    // RFC 8594.
    sunset: toHttpDate(sunsetAt),
  },
  link: `<${changesPath}>; rel="deprecation"; type="text/markdown"`,
})
