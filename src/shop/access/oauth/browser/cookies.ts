import { pathOf } from '#http/message/url-path.ts'

const plainNames = {
  session: 'cartwright_session',
  interaction: 'cartwright_interaction',
  resume: 'cartwright_resume',
} as const

/** Browsers accept a cookie with this prefix from this host only (RFC 6265bis 4.1.3.2). */
const hostPrefix = '__Host-'

const isSecure = (issuer: string): boolean => new URL(issuer).protocol === 'https:'

/** The cookie names; without the prefix over http, where browsers reject it. */
export function cookieNames(issuer: string): Readonly<Record<keyof typeof plainNames, string>> {
  if (!isSecure(issuer)) return plainNames
  return {
    session: hostPrefix + plainNames.session,
    interaction: hostPrefix + plainNames.interaction,
    resume: hostPrefix + plainNames.resume,
  }
}

const interactionName = `(${hostPrefix}(?:${plainNames.interaction}|${plainNames.resume}))`

/**
 * Rewrites the Set-Cookie fields of oidc-provider for the `__Host-` prefix, which requires the path
 * `/`. oidc-provider separates the interactions of several tabs by the cookie path; here the last
 * path segment, the interaction ID, moves into the cookie name.
 */
export const addHostPrefix = (setCookies: readonly string[]): readonly string[] =>
  setCookies.map((line) => {
    const [, name = '', rest = '', uid = ''] =
      new RegExp(`^${interactionName}((?:\\.sig)?=[^;]*); path=/oauth/[a-z]+/([\\w-]+)`).exec(
        line,
      ) ?? []
    if (name === '') return line
    return line.replace(/^[^;]*; path=[^;]*/, `${name}-${uid}${rest}; path=/`)
  })

/** Four interactions, each with two cookies and their signatures. */
const maxInteractionCookies = 4 * 4

/**
 * Set-Cookie fields that delete the cookies of the oldest interactions beyond the maximum, so that
 * the Cookie field cannot outgrow the limit of a request.
 */
export function expireOldestCookies(cookieField: string): readonly string[] {
  const name = new RegExp(`^${interactionName}-[\\w-]+(?:\\.sig)?(?==)`)
  // Browsers send the oldest cookies first (RFC 6265 5.4).
  const names = cookieField.split(/; */).flatMap((pair) => name.exec(pair)?.[0] ?? [])
  return names
    .slice(0, Math.max(0, names.length - maxInteractionCookies))
    .map((each) => `${each}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; secure; httponly`)
}

/**
 * Reverses `addHostPrefix` in the Cookie field of a request for an interaction. The cookies of the
 * interaction come first, as those of a longer path would (RFC 6265 5.4): after a key rotation
 * oidc-provider sets a new signature under the name without an ID, and reads the first of each name.
 */
export function removeHostPrefix(cookieField: string, url: string): string {
  const path = pathOf(url)
  const uid = path.slice(path.lastIndexOf('/') + 1)
  const pattern = new RegExp(`^${interactionName}-([\\w-]+)((?:\\.sig)?=.*)$`)
  const interactionCookies: string[] = []
  const otherCookies: string[] = []
  for (const pair of cookieField.split(/; */)) {
    const [, name = '', cookieUid = '', rest = ''] = pattern.exec(pair) ?? []
    if (name !== '' && cookieUid === uid) interactionCookies.push(name + rest)
    else otherCookies.push(pair)
  }
  return [...interactionCookies, ...otherCookies].join('; ')
}
