import { isIP, isIPv4 } from 'node:net'
import { networkOf } from '#http/message/client-network.ts'

/** The part of client addresses that is logged. */
export type LogAddresses = 'full' | 'network' | 'none'

/**
 * Returns the part of an address to log: all of it or its network (/24 for IPv4, /64 for IPv6).
 * Undefined for `none` and for an invalid address.
 */
export function redactAddress(
  address: string | undefined,
  addresses: LogAddresses,
): string | undefined {
  if (address === undefined || addresses === 'none' || isIP(address) === 0) return undefined
  if (addresses === 'full') return address
  const network = networkOf(address)
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0` : network
}
