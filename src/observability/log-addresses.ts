import { isIP, isIPv4 } from 'node:net'
import { networkOf } from '#http/server/network/client-network.ts'

/** How much of the address of a client the log holds. */
export type LogAddresses = 'full' | 'network' | 'none'

/**
 * What the log holds of an address: all of it, its network (the first 24 bits of IPv4, the first 64
 * of IPv6), or nothing. Undefined for what is no address.
 */
export function loggedAddress(
  address: string | undefined,
  addresses: LogAddresses,
): string | undefined {
  if (address === undefined || addresses === 'none' || isIP(address) === 0) return undefined
  if (addresses === 'full') return address
  const network = networkOf(address)
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0` : network
}
