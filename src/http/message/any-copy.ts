import type { IncomingHttpHeaders } from 'node:http'
import type { Instant } from '#values/instant.ts'

/**
 * True for what any copy matches, also one that was never sent: `If-None-Match: *` (RFC 9110 section 13.1.2), and
 * an `If-Modified-Since` in the future (section 13.1.3).
 */
export function acceptsAnyCopy(
  {
    'if-none-match': noneMatch,
    'if-modified-since': modifiedSince = '',
  }: Pick<IncomingHttpHeaders, 'if-none-match' | 'if-modified-since'>,
  now: Instant,
): boolean {
  if (noneMatch === undefined) return Date.parse(modifiedSince) > now
  return noneMatch.replaceAll(/"[^"]*"/g, '').includes('*')
}
