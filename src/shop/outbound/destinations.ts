import { BlockList, isIP } from 'node:net'

type Network = readonly [address: string, bits: number]

/** IPv4 networks that are not public (RFC 6890, 9637): the remote endpoint could be inside this network. */
const privateIpv4: readonly Network[] = [
  ['0.0.0.0', 8], // unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, with the metadata services of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/** Everything outside of 2000::/3, the global unicast addresses, and the parts that embed IPv4. */
const privateIpv6: readonly Network[] = [
  ['::', 3], // unspecified, loopback, IPv4-mapped, NAT64, discard
  ['2001::', 23], // protocol assignments, with Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
  ['4000::', 2], // reserved
  ['8000::', 1], // reserved, unique local, link-local, multicast
]

/** Why a URL cannot be a destination. */
export type DestinationIssue = 'credentials' | 'https' | 'address'

/** Where requests to URLs that users give may be sent. */
export interface DestinationPolicy {
  /** True if a connection to an IP address is allowed; `isSecure` is true for HTTPS. */
  readonly mayConnect: (address: string, isSecure: boolean) => boolean
  /**
   * Returns why a URL is never allowed, as far as that is known without resolving its host.
   * `text` is an absolute http or https URL.
   */
  readonly issueOf: (text: string) => DestinationIssue | undefined
}

/**
 * Allows HTTPS to public addresses, and any connection to an address in `allowedNetworks` (CIDR).
 */
export function createDestinationPolicy(allowedNetworks: readonly string[]): DestinationPolicy {
  const isPrivate = createMatcher(privateIpv4, privateIpv6)
  const allowed = allowedNetworks.map(readNetwork)
  const isListed = createMatcher(
    allowed.filter(([address]) => isIP(address) === 4),
    allowed.filter(([address]) => isIP(address) === 6),
  )
  const mayConnect: DestinationPolicy['mayConnect'] = (address, isSecure) =>
    isListed(address) || (isSecure && !isPrivate(address))
  return {
    mayConnect,
    issueOf: (text) => {
      const { protocol, hostname, username, password } = new URL(text)
      if (username !== '' || password !== '') return 'credentials'
      const isSecure = protocol === 'https:'
      const addresses = literalAddresses(hostname)
      if (addresses.length === 0) return isSecure || allowed.length > 0 ? undefined : 'https'
      if (addresses.some((address) => mayConnect(address, isSecure))) return undefined
      return isSecure || addresses.every(isPrivate) ? 'address' : 'https'
    },
  }
}

/**
 * Returns the addresses of a host, as `URL` normalizes it, that names no other machine or needs no
 * name server: an IP address, or `localhost` (RFC 6761 section 6.3). Empty for any other name.
 */
export function literalAddresses(hostname: string): readonly string[] {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return [address]
  return /(^|\.)localhost\.?$/.test(hostname) ? ['127.0.0.1', '::1'] : []
}

function readNetwork(text: string): Network {
  const [address = '', bits] = text.split('/')
  return [address, bits === undefined ? (isIP(address) === 4 ? 32 : 128) : Number(bits)]
}

/** An IPv4-mapped IPv6 address is matched against both lists. */
function createMatcher(
  ipv4: readonly Network[],
  ipv6: readonly Network[],
): (address: string) => boolean {
  // Two lists, since in one list ::/3 would match every IPv4 address.
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const [address, bits] of ipv4) lists[4].addSubnet(address, bits, 'ipv4')
  for (const [address, bits] of ipv6) lists[6].addSubnet(address, bits, 'ipv6')
  return (address) =>
    isIP(address) === 4
      ? lists[4].check(address, 'ipv4')
      : lists[6].check(address, 'ipv6') || lists[4].check(address, 'ipv6')
}
