/** What OpenAPI says of a header field. */
export interface HeaderField {
  readonly description: string
  readonly type?: 'string' | 'integer'
  readonly example: string | number
}

/** Every header field that the API reads or sends by a meaning of its own. */
export const headerFields = {
  'Accept-Encoding': {
    description: 'Which content codings are welcome: zstd, br, gzip, deflate (RFC 9110 12.5.3).',
    example: 'gzip',
  },
  'Accept-Language': {
    description:
      'The languages of sentences: en, zh, es, fr, de; English by default (RFC 9110 12.5.4).',
    example: 'fr-CH, fr;q=0.9, en;q=0.5',
  },
  'API-Version': { description: 'The version of the API that answers.', example: '2' },
  'Cache-Control': {
    description: 'How long the answer may be reused, and by whom (RFC 9111 5.2).',
    example: 'private, no-cache',
  },
  'Content-Encoding': {
    description: 'The coding of the body (RFC 9110 8.4); the ETag is another for each.',
    example: 'gzip',
  },
  'Content-Language': {
    description: 'The language of the sentences in the body (RFC 9110 8.5).',
    example: 'en',
  },
  Deprecation: {
    description: 'Since when there is a newer version of the API (RFC 9745).',
    example: '@1795219200',
  },
  ETag: {
    description: 'Names this state of the resource; another state has another (RFC 9110 8.8.3).',
    example: '"7-v1"',
  },
  Expires: {
    description: 'Until when the answer is fresh (RFC 9111 5.3).',
    example: 'Sat, 31 Jan 2026 12:05:00 GMT',
  },
  'Idempotency-Key': {
    description:
      'Names the request, so that it can be sent again without a second effect (draft-ietf-httpapi-idempotency-key-header-07).',
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  },
  'Idempotent-Replayed': {
    description: 'Sent where the answer is the one that the Idempotency-Key got before.',
    example: 'true',
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
    description:
      'The first, previous, next and last page, and what has changed since this version (RFC 8288).',
    example: '</products?page=2>; rel="next", </products?page=9>; rel="last"',
  },
  Location: { description: 'Where the resource lives.', example: '/products/42' },
  Prefer: {
    description: 'With return=minimal, the answer has no body (RFC 7240 4.2).',
    example: 'return=minimal',
  },
  'Preference-Applied': {
    description: 'The preference that was followed (RFC 7240 3).',
    example: 'return=minimal',
  },
  RateLimit: {
    description:
      'How many requests (r) are left for how many seconds (t), by the name of the policy (draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"default";r=99;t=60',
  },
  'RateLimit-Policy': {
    description:
      'How many requests (q) are allowed in how many seconds (w) (draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"default";q=100;w=60',
  },
  'Retry-After': {
    description: 'How many seconds to wait before another try.',
    type: 'integer',
    example: 1,
  },
  Sunset: {
    description: 'Until when at least this version of the API is served (RFC 8594).',
    example: 'Tue, 21 Nov 2028 00:00:00 GMT',
  },
  Vary: {
    description: 'What else the answer depends on than the address (RFC 9110 12.5.5).',
    example: 'Authorization',
  },
  'WWW-Authenticate': {
    description:
      'One challenge for each kind of credential that is accepted (RFC 9110 11.6.1). For a bearer token that is not accepted, or lacks a scope, with the error of RFC 6750 3.1.',
    example: 'Bearer realm="cartwright", error="insufficient_scope", scope="orders:read"',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests are allowed at the moment; fewer than usual under load.',
    type: 'integer',
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    type: 'integer',
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'When all are there again or, after a refusal, one is: in seconds since 1970.',
    type: 'integer',
    example: 1_769_860_800,
  },
  'X-Request-Id': {
    description: 'Names the request in answers and logs; made where the client sends none.',
    example: 'b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e',
  },
} as const satisfies Readonly<Record<string, HeaderField>>

/** The name of one of them. */
export type HeaderName = keyof typeof headerFields
