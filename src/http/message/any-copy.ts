import type { IncomingHttpHeaders } from 'node:http'

/** True for `If-None-Match: *`, which any copy matches (RFC 9110 section 13.1.2). */
export const acceptsAnyCopy = ({ 'if-none-match': noneMatch = '' }: IncomingHttpHeaders): boolean =>
  noneMatch.replaceAll(/"[^"]*"/g, '').includes('*')
