/** A browser does not sniff the type, runs no content, shows no frame and sends no `Referer`. */
const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // CORS grants access to other origins; without it, they cannot embed a response either.
  'cross-origin-resource-policy': 'same-origin',
}

// HSTS for a year (RFC 6797 section 6.1).
const httpsHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'strict-transport-security': 'max-age=31536000',
}

/** Returns the security header fields of every response; HSTS over HTTPS only (RFC 6797 7.2). */
export const securityHeadersOver = (protocol: string): Readonly<Record<string, string>> =>
  protocol === 'https' ? httpsHeaders : securityHeaders

/** The Content-Security-Policy of an HTML page with inline styles and without scripts. */
export const staticPageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** The Content-Security-Policy of an HTML page with scripts, which may call only this server. */
export const scriptedPageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}
