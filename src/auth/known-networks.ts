import type { Db } from '#db/database.ts'
import type { IsKnownNetwork } from '#http/rate-limit/login-throttle.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { findAccountNamed } from './accounts.ts'
import { constantTime } from './passwords/constant-time.ts'
import { deleteExpiredNetworks, hasNetwork, type KnownNetwork, recordNetworks } from './store.ts'

// How long a network stays known after the last sign-in from it.
const knownNetworkDays = 90
const capacity = 10_000

/** From which networks users have proven their password: noted by requests, recorded by a job. */
export interface KnownNetworks {
  /** Notes that a user has proven their password from an address. */
  readonly note: (userId: number, address: string, now: Instant) => void
  /** Records what was noted since, in one statement, and forgets old networks; returns how many were recorded. */
  readonly record: (db: Db, now: Instant) => Promise<number>
  /** Takes as long for a name that nobody has. */
  readonly isKnown: IsKnownNetwork
}

/** Opens the known networks of a database; what was noted and not recorded is lost with the process. */
export function openKnownNetworks(db: Db): KnownNetworks {
  const seenAt = new Map<string, Instant>()
  let noted = new Map<string, KnownNetwork>()
  return {
    note: (userId, address, now) => {
      const network = networkOf(address)
      const key = `${userId} ${network}`
      const last = seenAt.get(key)
      if (last !== undefined && Math.abs(now - last) < dayMs) return
      // A map keeps the order of its entries: the oldest makes room.
      const [oldest] = seenAt.keys()
      if (seenAt.size >= capacity && oldest !== undefined) seenAt.delete(oldest)
      seenAt.set(key, now)
      noted.set(key, { user_id: userId, network, seen_at: now })
    },
    record: async (inside, now) => {
      await deleteExpiredNetworks(inside, now - knownNetworkDays * dayMs)
      if (noted.size === 0) return 0
      const taken = noted
      noted = new Map()
      try {
        await recordNetworks(inside, [...taken.values()])
      } catch (error) {
        noted = new Map([...taken, ...noted])
        throw error
      }
      return taken.size
    },
    isKnown: async ({ name, address }) => {
      const time = constantTime()
      const network = networkOf(address)
      const { id = 0 } = (await findAccountNamed(db, name)) ?? {}
      const isRecorded = await hasNetwork(db, id, network)
      await time.pass()
      return isRecorded || noted.has(`${id} ${network}`)
    },
  }
}
