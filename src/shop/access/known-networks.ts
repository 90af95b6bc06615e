import { networkOf } from '#http/message/client-network.ts'
import type { IsKnownNetwork } from '#http/rate-limit/login-throttle.ts'
import { startMinimumDuration } from '#shop/accounts/passwords/minimum-duration.ts'
import type { Db } from '#store/database.ts'
import { createWriteBuffer } from '#store/write-buffer.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { deleteExpiredNetworks, type KnownNetwork, recordNetworks } from './store.ts'
import { knownNetworks } from './table.ts'

/** How long a network stays known after the last sign-in from it. */
const retentionDays = 90
const maxRemembered = 10_000

/** The networks of password sign-ins: noted by requests, recorded by a job. */
export interface KnownNetworks {
  /** Notes in memory that a user signed in from an address, once a day per network. */
  readonly recordNetwork: (userId: number, address: string, now: Instant) => void
  /** Writes the noted networks, in one statement; returns how many. Deletes expired networks. */
  readonly record: (db: Db, now: Instant) => Promise<number>
  /** True for a network of the account. Takes equally long without an account. */
  readonly isKnown: IsKnownNetwork
}

/** What notes the networks of sign-ins. */
export interface NetworkParts {
  readonly knownNetworks: Pick<KnownNetworks, 'recordNetwork'>
}

/** Creates the known networks of a database; notes not yet recorded are lost with the process. */
export function createKnownNetworks(db: Db): KnownNetworks {
  const notedAt = new Map<string, Instant>()
  const unrecorded = createWriteBuffer<string, KnownNetwork>((connection, entries) =>
    recordNetworks(
      connection,
      entries.map(([, network]) => network),
    ),
  )
  return {
    recordNetwork: (userId, address, now) => {
      const network = networkOf(address)
      const key = `${userId} ${network}`
      const last = notedAt.get(key)
      if (last !== undefined && Math.abs(now - last) < dayMs) return
      // A Map iterates in insertion order: the first key is the oldest.
      const [oldest] = notedAt.keys()
      if (notedAt.size >= maxRemembered && oldest !== undefined) notedAt.delete(oldest)
      notedAt.set(key, now)
      unrecorded.set(key, { user_id: userId, network, seen_at: now })
    },
    record: async (connection, now) => {
      await deleteExpiredNetworks(connection, now - retentionDays * dayMs)
      return unrecorded.flush(connection)
    },
    isKnown: async ({ accountId: id = 0, address }) => {
      const time = startMinimumDuration()
      const network = networkOf(address)
      const recorded = await knownNetworks.find(db, { user_id: id, network })
      await time.wait()
      return recorded !== undefined || unrecorded.has(`${id} ${network}`)
    },
  }
}
