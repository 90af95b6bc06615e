import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { secondMs } from '#values/instant.ts'

const maxWaitSeconds = 30

/**
 * Returns a preference of a Prefer field by its name, in lower case; the first one counts (RFC 7240
 * 2).
 */
export const preferenceIn = (prefer: string, name: string): string | undefined =>
  prefer
    .split(',')
    .map((part) => part.split(';', 1)[0]?.replaceAll(/[\s"]/g, '').toLowerCase() ?? '')
    .find((part) => part.startsWith(`${name}=`))

/** Returns how long a client prefers to wait (RFC 7240 4.3), in milliseconds: at most 30 seconds. */
export function preferredWaitMs(prefer: string | undefined): number {
  const [, seconds = ''] = (prefer && preferenceIn(prefer, 'wait'))?.split('=') ?? []
  return /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), maxWaitSeconds) * secondMs : 0
}

/** The preference to wait as it was applied, for `Preference-Applied`; none if the client has none. */
export function appliedWait(prefer: string | undefined): readonly string[] {
  const waitMs = preferredWaitMs(prefer)
  return waitMs === 0 ? [] : [`wait=${waitMs / secondMs}`]
}

/** True where the response is an entity on which work may continue. */
export function isAwaited({ resource }: Pick<Route, 'resource'>): boolean {
  const definition = definitionOf(resource)
  return definition.kind !== 'document' && definition.waitForEnd !== undefined
}
