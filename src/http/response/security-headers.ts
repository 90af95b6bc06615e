/**
 * What every answer tells browsers: to take it for nothing but what it says it is, to run nothing
 * in it, to show it in no frame and to tell nobody where a link in it was followed.
 */
const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // Who may read an answer is for CORS to say; another site must not embed it unasked.
  'cross-origin-resource-policy': 'same-origin',
}

/** The same over HTTPS, with HSTS for a year (RFC 6797 6.1). */
const secureHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'strict-transport-security': 'max-age=31536000',
}

/** What an answer tells browsers, by how the request came; HSTS only over HTTPS (RFC 6797 7.2). */
export const securityHeadersOver = (protocol: string): Readonly<Record<string, string>> =>
  protocol === 'https' ? secureHeaders : securityHeaders

/** For a page without any script, which brings its style with it. */
export const textPolicy: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** For a page whose own scripts may run: they call this server alone. */
export const pagePolicy: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}
