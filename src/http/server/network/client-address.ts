import type { IncomingMessage } from 'node:http'
import type { AddressMatcher } from '#http/message/addresses.ts'

/** The address of a client before its request is routed, by the rule of Fastify's `request.ip`: trusted proxies are skipped. */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isTrustedProxy: AddressMatcher | undefined,
): string {
  const peer = socket.remoteAddress ?? ''
  if (!isTrustedProxy?.(peer)) return peer
  const sent = String(headers['x-forwarded-for'] ?? '').split(',')
  const hops = sent.map((hop) => hop.trim()).filter((hop) => hop !== '')
  return hops.findLast((hop) => !isTrustedProxy(hop)) ?? hops[0] ?? peer
}
