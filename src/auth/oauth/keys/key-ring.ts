import { createPublicKey, generateKeyPair, hash, type KeyObject, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db } from '#db/database.ts'
import type { Sealer } from '#http/pipeline/idempotency/middleware.ts'
import { dayMs, type Instant, minuteMs, secondMs } from '#values/instant.ts'
import * as store from './store.ts'

/** How long a key signs before another takes its place. */
const keyLifeMs = 90 * dayMs
/** How long a new key is told of before it signs, so that whoever verifies has heard of it. */
const noticeMs = 10 * minuteMs
/** How long a key is kept after the last token that it signed has expired. */
const afterlifeMs = dayMs
/** How long a process goes by the keys that it has read. */
const staleMs = minuteMs
const minReadMs = secondMs

type JsonWebKey = webcrypto.JsonWebKey

/** A key that tokens are signed with (RS256), from a moment on. */
export interface SigningKey {
  readonly kid: string
  readonly jwk: JsonWebKey
  readonly publicKey: KeyObject
  readonly number: number
  readonly signsFrom: Instant
  readonly createdAt: Instant
}

const generate = promisify(generateKeyPair)

/** What the keys are kept with. */
interface KeyRingDependencies {
  readonly db: Db
  readonly sealer: Sealer
  readonly clock: () => Instant
}

/**
 * The keys that tokens are signed with: the same in every process, since they are in the database,
 * where they are sealed. The first is made when it is first needed; a key that was sealed with
 * another secret counts for nothing, and neither does what it signed.
 */
export function openKeyRing(dependencies: KeyRingDependencies) {
  const { clock } = dependencies
  const reader = openReader(dependencies)
  const named = (keys: readonly SigningKey[], kid: string) =>
    keys.find((key) => key.kid === kid)?.publicKey
  return {
    /** Every key, the one that signs now first. */
    all: async (): Promise<readonly SigningKey[]> => {
      let keys = await reader.within(staleMs)
      if (keys.length === 0) {
        await makeKey(dependencies, clock())
        keys = await reader.fresh()
      }
      const signing = keys.find(({ signsFrom }) => signsFrom <= clock()) ?? keys.at(-1)
      return [...keys].sort((a, b) => Number(b === signing) - Number(a === signing))
    },
    /** The key of this name, to verify with; looked for once more where it is not known. */
    find: async (kid: string): Promise<KeyObject | undefined> =>
      named(await reader.within(staleMs), kid) ?? named(await reader.within(minReadMs), kid),
    /**
     * Makes the next key once the youngest is old, or now if it must, and forgets those that can
     * have signed nothing that is still good; tells whether there is a new one.
     */
    rotate: async (isForced = false): Promise<boolean> => {
      const keys = await (isForced ? reader.fresh() : reader.within(staleMs))
      const now = clock()
      const [newest] = keys
      const spent = keys.find((_, at) => (keys[at - 1]?.signsFrom ?? now) + afterlifeMs <= now)
      if (spent) await store.deleteKeys(dependencies.db, spent.number)
      if (!newest || (!isForced && now < newest.createdAt + keyLifeMs)) return false
      await makeKey(dependencies, now + noticeMs)
      await reader.fresh()
      return true
    },
  }
}

/** Reads the keys, once for all who ask at the same time. */
function openReader({ db, sealer, clock }: KeyRingDependencies) {
  let known: readonly SigningKey[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly SigningKey[]> | undefined
  const read = async (): Promise<readonly SigningKey[]> => {
    const rows = await store.findKeys(db)
    known = rows.flatMap((row) => openKey(row, sealer) ?? [])
    readAt = clock()
    return known
  }
  return {
    /** The keys, the youngest first, as they were no longer ago than this. */
    within: (ageMs: number): Promise<readonly SigningKey[]> | readonly SigningKey[] => {
      // A clock that jumps back tells nothing of an age.
      if (Math.abs(clock() - readAt) < ageMs) return known
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
    /** The keys as they are after this was asked. */
    fresh: async (): Promise<readonly SigningKey[]> => {
      await reading
      return read()
    },
  }
}

async function makeKey(
  { db, sealer, clock }: KeyRingDependencies,
  signsFrom: Instant,
): Promise<void> {
  const [newest] = await store.findKeys(db)
  const number = (newest?.number ?? 0) + 1
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = hash('sha256', `${jwk.e} ${jwk.n}`, 'base64url').slice(0, 16)
  const sealed = sealer.seal(JSON.stringify(jwk), keySealName(kid))
  // Whoever makes the same one at the same time is heeded as much: there is one of each number.
  await store.keepKey(db, { number, kid, sealed, signs_from: signsFrom, created_at: clock() })
}

/** The keys that tokens are signed with. */
export type KeyRing = ReturnType<typeof openKeyRing>

/** The name that a signing key is sealed under. */
export const keySealName = (kid: string): string => `oauth key ${kid}`

function openKey(
  {
    number,
    kid,
    sealed,
    signs_from,
    created_at,
  }: Awaited<ReturnType<typeof store.findKeys>>[number],
  sealer: Sealer,
): SigningKey | undefined {
  const text = sealer.open(sealed, keySealName(kid))
  if (text === undefined) return undefined
  const jwk: JsonWebKey = JSON.parse(text)
  const { kty, n, e } = jwk
  const publicKey = createPublicKey({ format: 'jwk', key: { kty, n, e } as JsonWebKey })
  return { kid, jwk, publicKey, number, signsFrom: signs_from, createdAt: created_at }
}
