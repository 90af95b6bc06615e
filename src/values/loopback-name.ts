/** True for a loopback address and for `localhost`. */
export const isLoopbackName = (host: string): boolean =>
  /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i.test(host.replace(/^\[|\]$/g, ''))
