import type { Place } from '#http/rate-limit/network-places.ts'

/** A place of a request that nobody else waits for. */
export const requestPlace = ({
  leave = () => () => undefined,
  end = () => undefined,
}: Partial<Pick<Place, 'leave' | 'end'>> = {}): Place => ({
  owner: '192.0.2.1',
  isEnded: false,
  leave,
  end,
})
