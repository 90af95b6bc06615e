import type { Place } from '#http/rate-limit/network-places.ts'

/** A place of a request that nobody else waits for. */
export const requestPlace = ({
  owner = '192.0.2.1',
  leave = () => () => undefined,
  end = () => undefined,
}: Partial<Pick<Place, 'owner' | 'leave' | 'end'>> = {}): Place => ({
  owner,
  isEnded: false,
  leave,
  end,
})
