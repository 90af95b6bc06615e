import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { literalAddresses } from './destinations.ts'

/** Returns the IP addresses of a host name, at least one. Throws the error of the resolver. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

const resolver = new Resolver({ timeout: 2000, tries: 2 })

/**
 * Resolves names by DNS, without the threads of libuv: `lookup` would block one of four for each
 * name whose server is slow, and with them password hashing and files. What DNS does not know, such
 * as a name of the hosts file, is looked up one after the other.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const addresses = literalAddresses(hostname).map(toLookupAddress)
  if (addresses.length > 0) return addresses
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const resolved = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  return resolved.length > 0 ? resolved.map(toLookupAddress) : lookUpInTurn(hostname)
}

const toLookupAddress = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
})

let previous: Promise<unknown> = Promise.resolve()

function lookUpInTurn(hostname: string): Promise<readonly LookupAddress[]> {
  const found = previous.then(() => lookup(hostname, { all: true }))
  previous = found.catch(() => undefined)
  return found
}
