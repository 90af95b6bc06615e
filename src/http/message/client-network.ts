/**
 * Returns the network by which a client is counted: the whole IPv4 address, or the first 64 bits of
 * an IPv6 address, since one client has the other 64 to itself (RFC 6177, RFC 8981). A connection that has ended has no
 * address.
 */
export function networkOf(address: string | undefined): string {
  if (!address?.includes(':')) return address ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.toLowerCase().split('%', 1)
  const [head = '', tail] = plain.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  const all = tail === undefined ? groups : [...groups, ...zeros, ...after]
  const first = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${first.join(':')}::`
}

/**
 * Returns the site of a network: the first 48 bits of an IPv6 network, which is what one customer is
 * given (RFC 6177), and IPv4 as it is. Networks of a site count together where one could use many.
 */
export const siteOf = (network: string): string => siteIn(network) ?? network

/** How many networks the networks of a site count as, where they count both alone and together. */
export const networksOfSite = 16

/** An IPv6 network that is a word of a text, and in it the site. */
const networkWord = /(?<=^| )((?:[0-9a-f]+:){3})[0-9a-f]+::(?= |$)/

/** Returns the site of the IPv6 network that is a word of a text; undefined without one. */
export function siteIn(text: string): string | undefined {
  const site = networkWord.exec(text)?.[1]
  return site && `${site}:`
}

/** Returns a text with the site instead of the IPv6 network in it; undefined without one. */
export function withSite(text: string): string | undefined {
  // Most have none.
  if (!text.includes('::')) return undefined
  const replaced = text.replace(networkWord, '$1:')
  return replaced === text ? undefined : replaced
}
