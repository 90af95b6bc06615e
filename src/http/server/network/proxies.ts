import { BlockList, isIPv6, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** True for the address of a proxy that is believed. */
export type Trust = (address: string) => boolean

/** Reads addresses, networks in CIDR notation and the word `loopback`; throws what is none. */
export function trustIn(entries: readonly string[]): Trust {
  const list = new BlockList()
  const add = (entry: string): void => {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else if (/^\d{1,3}$/.test(bits)) list.addSubnet(address, Number(bits), family)
    else throw new TypeError(`${entry} is no network`)
  }
  for (const entry of entries) {
    for (const each of entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]) add(each)
  }
  return rememberingLast((address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  })
}

/** Requests of one connection come one after the other, and those of a proxy all from one address. */
function rememberingLast(trusts: Trust): Trust {
  let last = ''
  let isTrusted = trusts(last)
  return (address) => {
    if (address !== last) {
      isTrusted = trusts(address)
      last = address
    }
    return isTrusted
  }
}

/** The client whom the proxies from `peer` on, as far as they are believed, have passed on. */
export function clientBehind(
  peer: string,
  forwardedFor: string | string[] | undefined,
  trusts: Trust,
): string {
  let client = peer
  for (const next of String(forwardedFor ?? '')
    .split(',')
    .reverse()) {
    const address = next.trim()
    if (address === '' || !trusts(client)) break
    client = address
  }
  return client
}

/** True for an address of this machine. */
export const isLoopback: Trust = trustIn(['loopback'])

/** True where nobody on the way can read a request: it came by HTTPS, or from this machine. */
export const isConfidential = ({
  protocol,
  ip,
}: {
  readonly protocol: string
  readonly ip: string
}): boolean => protocol === 'https' || isLoopback(ip)

/** True for a connection over TLS that ends in this process. */
export const isEncrypted = (socket: Socket): boolean => (socket as TLSSocket).encrypted === true
