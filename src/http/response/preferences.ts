import { secondMs } from '#values/instant.ts'

const maxWaitSeconds = 30

/** Returns a preference of a Prefer field by its name, in lower case; the first one counts (RFC 7240 2). */
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
