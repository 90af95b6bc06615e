import type { LookupFunction } from 'node:net'
import type { ResolveHost } from './resolve.ts'

/** The reason why a request was given up, as a word of the API. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

/**
 * Looks names up for a connection, so that the address which is checked is the one that is connected to: a name with
 * changing addresses is no way around. Node does not look literal addresses up.
 */
export const checkedLookup =
  (resolve: ResolveHost, mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const allowed = found.filter(({ address }) => mayConnect(address))
        const [first] = allowed
        if (!first) callback(new GivenUpError('address_not_allowed'), [])
        else if (all) callback(null, [...allowed])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

const reasonsByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ETIMEDOUT: 'timeout',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
}

/** Describes an error by a word, followed by Node's error code where there is one. */
export function reasonOf(error: unknown): string {
  if (error instanceof GivenUpError) return error.message
  const [first] = error instanceof AggregateError ? error.errors : [error]
  if (first instanceof GivenUpError) return first.message
  const code = String((first as NodeJS.ErrnoException | undefined)?.code ?? 'unknown')
  const known = reasonsByCode[code]
  if (known !== undefined) return known
  if (code.startsWith('HPE_')) return `invalid_response: ${code}`
  return `${/CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code) ? 'tls_failed' : 'failed'}: ${code}`
}
