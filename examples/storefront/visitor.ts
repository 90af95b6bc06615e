import { AsyncLocalStorage } from 'node:async_hooks'

/** A visitor, as the connection shows it. */
interface Visitor {
  readonly ip: string
  readonly protocol: string
}

const visitors = new AsyncLocalStorage<Visitor>()

/** Runs the work of a request for its visitor. */
export const forVisitor = (visitor: Visitor, work: () => void): void => visitors.run(visitor, work)

/**
 * Sends a request to the shop with the address of the visitor it is for. A shop whose TRUST_PROXY names
 * this server then counts each visitor, not this server; others ignore it.
 */
export const fetchForVisitor: typeof fetch = (input, init) => {
  const visitor = visitors.getStore()
  if (visitor === undefined) return fetch(input, init)
  const headers = new Headers(init?.headers)
  headers.set('x-forwarded-for', visitor.ip)
  headers.set('x-forwarded-proto', visitor.protocol)
  return fetch(input, { ...init, headers })
}
