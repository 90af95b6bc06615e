/**
 * What every answer tells browsers: to take it for nothing but what it says it is, to run nothing
 * in it, to show it in no frame and to tell nobody where a link in it was followed.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Who may read an answer is for CORS to say; another site must not embed it unasked.
  'cross-origin-resource-policy': 'same-origin',
}

/** For a page whose own scripts may run: they call this server alone. */
export const pagePolicy: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}
