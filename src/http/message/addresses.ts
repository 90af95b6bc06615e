import { BlockList, isIPv6, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Returns true for an address that matches. */
export type AddressMatcher = (address: string) => boolean

/**
 * Compiles a list of addresses, networks in CIDR notation and the word `loopback`. Throws a
 * TypeError for any other entry.
 */
export function compileAddressMatcher(entries: readonly string[]): AddressMatcher {
  const list = new BlockList()
  const add = (entry: string): void => {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else if (/^\d{1,3}$/.test(bits)) list.addSubnet(address, Number(bits), family)
    else throw new TypeError(`${entry} is no network`)
  }
  for (const entry of entries) {
    for (const range of entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]) add(range)
  }
  return cacheLastResult((address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  })
}

/** Caches the result for the last address: consecutive requests often come from the same one. */
function cacheLastResult(matches: AddressMatcher): AddressMatcher {
  let last = ''
  let isMatch = matches(last)
  return (address) => {
    if (address !== last) {
      isMatch = matches(address)
      last = address
    }
    return isMatch
  }
}

/** True for a loopback address (127.0.0.0/8, ::1). */
export const isLoopback: AddressMatcher = compileAddressMatcher(['loopback'])

/** True for a request over HTTPS or from this machine, which no network can read. */
export const isSecureTransport = ({
  protocol,
  ip,
}: {
  readonly protocol: string
  readonly ip: string
}): boolean => protocol === 'https' || isLoopback(ip)

/** True for a connection over TLS that ends in this process. */
export const isEncrypted = (socket: Socket): boolean => (socket as TLSSocket).encrypted === true
