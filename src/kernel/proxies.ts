import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'

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
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

const isLoopback = trustIn(['loopback'])
const hsts = 'max-age=31536000'

/**
 * Sends clients that reached a trusted proxy over plain HTTP to HTTPS, those of this machine only
 * where `plain` is `redirect`; others are told to come by HTTPS from now on (RFC 6797).
 */
export function requireHttps(
  app: FastifyInstance,
  trusts: Trust,
  plain: 'loopback' | 'redirect',
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { ip, protocol, hostname, originalUrl, headers, raw } = request
    const told = headers['x-forwarded-proto']
    if (told === undefined || !trusts(raw.socket.remoteAddress ?? '')) return done()
    if (protocol === 'https') reply.header('strict-transport-security', hsts)
    const isServed = protocol === 'https' || (plain === 'loopback' && isLoopback(ip))
    if (isServed || !/^[\w.:[\]-]+$/.test(hostname)) return done()
    reply
      .code(301)
      .headers({ location: `https://${hostname}${originalUrl}` })
      .send()
  })
}
