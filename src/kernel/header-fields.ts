interface HeaderField {
  readonly description: string
  readonly type?: 'string' | 'integer'
  readonly example: string | number
}

/** Every header field that the API reads or sends by a meaning of its own. */
export const headerFields = {
  'Cache-Control': {
    description: 'How long the answer may be reused, and by whom (RFC 9111 5.2).',
    example: 'private, no-cache',
  },
  ETag: {
    description: 'Names this state of the resource; another state has another (RFC 9110 8.8.3).',
    example: '"7-v1"',
  },
  'If-Match': {
    description: 'Makes the change only where the resource still has this ETag (RFC 9110 13.1.1).',
    example: '"7-v1"',
  },
  'If-Modified-Since': {
    description: 'Sends the body only where it changed since; second to If-None-Match.',
    example: 'Sat, 31 Jan 2026 12:00:00 GMT',
  },
  'If-None-Match': {
    description: 'Sends the body only where the ETag is another (RFC 9110 13.1.2).',
    example: '"7-v1"',
  },
  'If-Unmodified-Since': {
    description: 'Makes the change only where nothing changed since; second to If-Match.',
    example: 'Sat, 31 Jan 2026 12:00:00 GMT',
  },
  'Last-Modified': {
    description: 'When the resource last changed, to the second.',
    example: 'Sat, 31 Jan 2026 12:00:00 GMT',
  },
  Link: {
    description: 'The first, previous, next and last page (RFC 8288).',
    example: '</products?page=2>; rel="next", </products?page=9>; rel="last"',
  },
  Location: { description: 'Where the resource lives.', example: '/products/42' },
  'Retry-After': {
    description: 'How many seconds to wait before another try.',
    type: 'integer',
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'One challenge for each kind of credential that is accepted (RFC 9110 11.6.1).',
    example: 'Bearer realm="cartwright"',
  },
  'X-Request-Id': {
    description: 'Names the request in answers and logs; made where the client sends none.',
    example: 'b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e',
  },
} as const satisfies Readonly<Record<string, HeaderField>>

/** The name of one of them. */
export type HeaderName = keyof typeof headerFields
