/** The OpenAPI description of a header field. */
export interface HeaderField {
  readonly description: string
  readonly type?: 'string' | 'integer'
  /** The pattern of the values that the API accepts. */
  readonly pattern?: string
  readonly example: string | number
}

/** The header fields that the API reads or sends. */
export const headerFields = {
  'Accept-Language': {
    description:
      'The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4).',
    example: 'fr-CH, fr;q=0.9, en;q=0.5',
  },
  'API-Version': { description: 'The API version of the response.', example: '2' },
  'Cache-Control': {
    description: 'Which caches may store the response, and for how long (RFC 9111 5.2).',
    example: 'private, no-cache',
  },
  'Content-Digest': {
    description:
      'The SHA-256 or SHA-512 digest of the body; 400 unless the body has it (RFC 9530 2).',
    example: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
  },
  'Content-Encoding': {
    description: 'The content coding of the body (RFC 9110 8.4); each has its own ETag.',
    example: 'gzip',
  },
  'Content-Language': {
    description: 'The language of the texts in the body (RFC 9110 8.5).',
    example: 'en',
  },
  Deprecation: {
    description: 'When this API version was superseded (RFC 9745).',
    example: '@1795219200',
  },
  ETag: {
    description:
      'Identifies this representation of the current state of the resource (RFC 9110 8.8.3).',
    example: '"7-v1"',
  },
  Expires: {
    description: 'Until when the response is fresh (RFC 9111 5.3).',
    example: 'Sat, 31 Jan 2026 12:05:00 GMT',
  },
  'Idempotency-Key': {
    description:
      'Makes a retry have no second effect: 1–255 characters, bare or as a quoted string.',
    pattern: '^([!#-~][ -~]{0,254}|"([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  },
  'Idempotent-Replayed': {
    description:
      'Present if the response was stored by an earlier request with the same Idempotency-Key.',
    example: 'true',
  },
  'Last-Event-ID': {
    description:
      'With `text/event-stream`: the ID of the last event received; the stream goes on after it (HTML section 9.2).',
    example: 'evt_01987c3e-5a40-7000-8000-00000000002a',
  },
  'If-Match': {
    description: 'The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).',
    example: '"7-v1"',
  },
  'If-Modified-Since': {
    description:
      'Answers 304 unless the resource has changed since; ignored with If-None-Match (RFC 9110 13.1.3).',
    example: 'Sat, 31 Jan 2026 12:00:00 GMT',
  },
  'If-None-Match': {
    description: 'Answers 304 if the ETag is current (RFC 9110 13.1.2).',
    example: '"7-v1"',
  },
  'If-Unmodified-Since': {
    description:
      'Answers 412 if the resource has changed since; ignored with If-Match (RFC 9110 13.1.4).',
    example: 'Sat, 31 Jan 2026 12:00:00 GMT',
  },
  'Last-Modified': {
    description: 'When the resource last changed, in whole seconds (RFC 9110 8.8.2).',
    example: 'Sat, 31 Jan 2026 12:00:00 GMT',
  },
  Link: {
    description:
      'The first, previous, next and last page, and the changes after a deprecated API version (RFC 8288).',
    example: '</products?page=2>; rel="next", </products?page=9>; rel="last"',
  },
  Location: { description: 'The URL of the resource (RFC 9110 10.2.2).', example: '/products/42' },
  Prefer: {
    description:
      'With `wait=N`, the response is sent once the operation has ended, or after N seconds (at most 30); with `return=minimal`, it has no body (RFC 7240).',
    example: 'wait=30',
  },
  'Preference-Applied': {
    description: 'The preference that was applied (RFC 7240 3).',
    example: 'return=minimal',
  },
  RateLimit: {
    description:
      'The remaining requests (r) and the seconds until the limit resets (t), by policy (draft-ietf-httpapi-ratelimit-headers-11). `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (seconds since 1970 UTC) say the same.',
    example: '"default";r=99;t=60',
  },
  'RateLimit-Policy': {
    description:
      'The requests (q) allowed in a window of seconds (w), by policy (draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"default";q=100;w=60',
  },
  'Retry-After': {
    description: 'The seconds to wait before a retry (RFC 9110 10.2.3).',
    type: 'integer',
    example: 1,
  },
  Sunset: {
    description: 'When this API version may stop being served (RFC 8594).',
    example: 'Tue, 21 Nov 2028 00:00:00 GMT',
  },
  Vary: {
    description: 'The request header fields that the response depends on (RFC 9110 12.5.5).',
    example: 'Authorization',
  },
  'WWW-Authenticate': {
    description:
      'One challenge per accepted authentication scheme (RFC 9110 11.6.1). For a rejected bearer token, or one without the scope, with the error code of RFC 6750 3.1.',
    example: 'Bearer realm="cartwright", error="insufficient_scope", scope="orders:read"',
  },
  'X-RateLimit-Limit': {
    description: 'The requests currently allowed per window; fewer under load.',
    type: 'integer',
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'The remaining requests of the window.',
    type: 'integer',
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'When the limit resets or, after a 429, when to retry, in seconds since 1970 UTC.',
    type: 'integer',
    example: 1_769_860_800,
  },
  'X-Request-Id': {
    description:
      'Identifies the request in responses and logs; generated unless the client sends one.',
    example: 'b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e',
  },
} as const satisfies Readonly<Record<string, HeaderField>>

/** The name of one of these header fields. */
export type HeaderName = keyof typeof headerFields
