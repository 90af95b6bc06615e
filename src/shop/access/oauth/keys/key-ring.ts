import { createPublicKey, generateKeyPair, hash, type KeyObject, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { Cipher } from '#http/pipeline/idempotency/store.ts'
import type { Db } from '#store/database.ts'
import { dayMs, type Instant, minuteMs, secondMs } from '#values/instant.ts'
import * as store from './store.ts'
import { keyAssociatedData } from './table.ts'

/** How long a key signs before the next key is created. */
const signingPeriodMs = 90 * dayMs
/** How long a key is published before it signs, so that verifiers have fetched it. */
const publishAheadMs = 10 * minuteMs
/** How long a key is kept after it stopped signing. */
const retentionMs = dayMs
/** How old the keys that a process has read may be. */
const maxAgeMs = minuteMs
/** How old they may be when a token names an unknown key. */
const minReadIntervalMs = secondMs

type JsonWebKey = webcrypto.JsonWebKey

/** A key that signs tokens (RS256) from `signsFrom` on, until the next key does. */
export interface SigningKey {
  readonly kid: string
  readonly jwk: JsonWebKey
  readonly publicKey: KeyObject
  readonly number: number
  readonly signsFrom: Instant
  readonly createdAt: Instant
}

const generate = promisify(generateKeyPair)

interface KeyRingParts {
  readonly db: Db
  readonly cipher: Cipher
  readonly clock: () => Instant
}

/**
 * Creates the ring of keys that sign tokens: encrypted in the database and shared by every process. The first
 * key is created on first use. A key encrypted under an unknown secret is ignored, so the tokens
 * that it signed are invalid.
 */
export function createKeyRing(parts: KeyRingParts) {
  const { clock } = parts
  const reader = createKeyReader(parts)
  const publicKeyOf = (keys: readonly SigningKey[], kid: string) =>
    keys.find((key) => key.kid === kid)?.publicKey
  return {
    /** Every key, the one that signs now first. */
    all: async (): Promise<readonly SigningKey[]> => {
      let keys = await reader.readWithin(maxAgeMs)
      if (keys.length === 0) {
        await createKey(parts, clock())
        keys = await reader.readNow()
      }
      const signing = keys.find(({ signsFrom }) => signsFrom <= clock()) ?? keys.at(-1)
      return [...keys].sort((a, b) => Number(b === signing) - Number(a === signing))
    },
    /** The public key with this `kid`; an unknown one is read again, at most once a second. */
    find: async (kid: string): Promise<KeyObject | undefined> =>
      publicKeyOf(await reader.readWithin(maxAgeMs), kid) ??
      publicKeyOf(await reader.readWithin(minReadIntervalMs), kid),
    /**
     * Creates the next key when the newest is old enough, or at once when forced, and deletes keys
     * whose tokens have all expired. True if a key was created.
     */
    rotate: async (isForced = false): Promise<boolean> => {
      const keys = await (isForced ? reader.readNow() : reader.readWithin(maxAgeMs))
      const now = clock()
      const [newest] = keys
      const retired = keys.find((_, at) => (keys[at - 1]?.signsFrom ?? now) + retentionMs <= now)
      if (retired) await store.deleteKeysUpTo(parts.db, retired.number)
      if (!newest || (!isForced && now < newest.createdAt + signingPeriodMs)) return false
      await createKey(parts, now + publishAheadMs)
      await reader.readNow()
      return true
    },
  }
}

/** Reads the keys; concurrent callers share one query. */
function createKeyReader({ db, cipher, clock }: KeyRingParts) {
  let keys: readonly SigningKey[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly SigningKey[]> | undefined
  const read = async (): Promise<readonly SigningKey[]> => {
    const rows = await store.findKeys(db)
    keys = rows.flatMap((row) => decryptKey(row, cipher) ?? [])
    readAt = clock()
    return keys
  }
  return {
    /** The keys, newest first, at most this old. */
    readWithin: (ageMs: number): Promise<readonly SigningKey[]> | readonly SigningKey[] => {
      // After the clock jumps back, the age is unknown.
      if (Math.abs(clock() - readAt) < ageMs) return keys
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
    /** The keys from a query that starts after this call. */
    readNow: async (): Promise<readonly SigningKey[]> => {
      await reading
      return read()
    },
  }
}

async function createKey({ db, cipher, clock }: KeyRingParts, signsFrom: Instant): Promise<void> {
  const [newest] = await store.findKeys(db)
  const number = (newest?.number ?? 0) + 1
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = hash('sha256', `${jwk.e} ${jwk.n}`, 'base64url').slice(0, 16)
  const sealed = cipher.encrypt(JSON.stringify(jwk), keyAssociatedData(kid))
  // Of processes that create the same number at once, the first wins and all use its key.
  await store.insertKey(db, { number, kid, sealed, signs_from: signsFrom, created_at: clock() })
}

/** The keys that sign tokens. */
export type KeyRing = ReturnType<typeof createKeyRing>

function decryptKey(
  { number, kid, sealed, signs_from, created_at }: store.OauthKeyRow,
  cipher: Cipher,
): SigningKey | undefined {
  const text = cipher.decrypt(sealed, keyAssociatedData(kid))
  if (text === undefined) return undefined
  const jwk: JsonWebKey = JSON.parse(text)
  const { kty, n, e } = jwk
  const publicKey = createPublicKey({ format: 'jwk', key: { kty, n, e } as JsonWebKey })
  return { kid, jwk, publicKey, number, signsFrom: signs_from, createdAt: created_at }
}
