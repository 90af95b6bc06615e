const plainNames = {
  session: 'cartwright_session',
  interaction: 'cartwright_interaction',
  resume: 'cartwright_resume',
} as const

/** The prefix by which a browser takes a cookie from this very host alone (RFC 6265bis 4.1.3.2). */
const hostPrefix = '__Host-'

const isSecure = (issuer: string): boolean => new URL(issuer).protocol === 'https:'

/** What the cookies are called; over http, in development, browsers take no prefix. */
export function cookieNames(issuer: string): Readonly<Record<keyof typeof plainNames, string>> {
  if (!isSecure(issuer)) return plainNames
  return {
    session: hostPrefix + plainNames.session,
    interaction: hostPrefix + plainNames.interaction,
    resume: hostPrefix + plainNames.resume,
  }
}

const visitName = `(${hostPrefix}(?:${plainNames.interaction}|${plainNames.resume}))`

/**
 * The cookies of one sign-in page, as the library sets them, under a name and path that the prefix
 * allows. The library tells the pages of several tabs apart by the path of the cookie, which has to
 * be `/` here, so that the last part of the path becomes a part of the name.
 */
export const cookiesForHost = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => {
    const [, name = '', rest = '', uid = ''] =
      new RegExp(`^${visitName}((?:\\.sig)?=[^;]*); path=/oauth/[a-z]+/([\\w-]+)`).exec(line) ?? []
    if (name === '') return line
    return line.replace(/^[^;]*; path=[^;]*/, `${name}-${uid}${rest}; path=/`)
  })

/** A page has two cookies, each with a signature; so many pages can be open in one browser. */
const maxPageCookies = 4 * 4

/**
 * Lines that remove the oldest of the pages that a browser has open where there are too many, so
 * that nobody can have it send more cookies than a request may hold.
 */
export function droppedCookies(field: string): readonly string[] {
  const name = new RegExp(`^${visitName}-[\\w-]+(?:\\.sig)?(?==)`)
  // Browsers send what was set first first (RFC 6265 5.4).
  const open = field.split(/; */).flatMap((pair) => name.exec(pair)?.[0] ?? [])
  return open
    .slice(0, Math.max(0, open.length - maxPageCookies))
    .map((each) => `${each}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; secure; httponly`)
}

/**
 * The Cookie field of a request for a page, as the library expects it: the reverse of the above. The
 * cookies of the page come first, as those of a longer path do: the library signs an older one anew
 * under a name without page once its key is replaced, and reads the first of each name.
 */
export function cookiesForLibrary(field: string, url: string): string {
  const [path = ''] = url.split('?', 1)
  const uid = path.slice(path.lastIndexOf('/') + 1)
  const form = new RegExp(`^${visitName}-([\\w-]+)((?:\\.sig)?=.*)$`)
  const ofPage: string[] = []
  const others: string[] = []
  for (const pair of field.split(/; */)) {
    const [, name = '', pageOf = '', rest = ''] = form.exec(pair) ?? []
    if (name !== '' && pageOf === uid) ofPage.push(name + rest)
    else others.push(pair)
  }
  return [...ofPage, ...others].join('; ')
}
