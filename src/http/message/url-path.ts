/** The path of a URL, without its query, which may hold a secret. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

const maxLoggedLength = 256

/**
 * What somebody adds to a path as if it were a query, as it was sent or encoded: it means nothing here, and may
 * hold a credential.
 */
const parameters = /([;=&?]|%(?:25)*(?:3b|3d|26|3f)).*/is

/** A path as a log shows it: without its secrets and parameters, and no longer than 256 characters. */
export function loggedPath(path: string, route: string | undefined): string {
  const shown = withoutSecrets(path, route).replace(parameters, '$1[secret]')
  return shown.length > maxLoggedLength ? `${shown.slice(0, maxLoggedLength)}…` : shown
}

/** The parameters of routes that are secrets: tokens of mails, and of the payment pages of the sandbox. */
const secretParams = new Set([':token', ':secret'])
const secretSegments =
  /(?<=\/(?:password-resets|email-confirmations|email-rejections|address-changes|sandbox\/payments)\/)[^/]+/gi

/**
 * Returns a path without its secrets: those of the parameters of its route, however the path was
 * written. Without a route, what follows the words of such routes is taken for one.
 */
export function withoutSecrets(path: string, route: string | undefined): string {
  if (route === undefined) return decoded(path).replaceAll(secretSegments, '[secret]')
  const template = route.split('/')
  const segments = path.split('/')
  // A path may have a version in front.
  const shift = segments.length - template.length
  return segments
    .map((segment, at) => (secretParams.has(template[at - shift] ?? '') ? '[secret]' : segment))
    .join('/')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
