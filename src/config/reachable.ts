import { isLoopbackName } from '#values/loopback-name.ts'

/** The settings that decide who reaches a server. */
interface Addresses {
  readonly host: string
  readonly baseUrl?: string | undefined
  readonly trustProxy?: unknown
}

/** True for a server that others than this machine reach, directly or through a proxy. */
export const isReachableByOthers = ({ host, baseUrl, trustProxy }: Addresses): boolean =>
  !isLoopbackName(host) ||
  trustProxy !== undefined ||
  (baseUrl !== undefined && !isLoopbackName(new URL(baseUrl).hostname))
