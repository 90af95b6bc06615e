import type { DigestSecrets } from '#shop/access/digest/secrets.ts'
import type { Db } from '#store/database.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { reencryptBatch } from './re-encrypt.ts'
import { digestSecrets, eraseDigestSecretsIn } from './store.ts'

const maxBatchesPerCall = 10

/** Erases all Digest secrets, in batches; returns how many were erased. */
export async function eraseDigestSecrets(db: Db): Promise<number> {
  let erased = 0
  for (let rows = await digestSecrets.nextRows(db, undefined); rows.length > 0; ) {
    erased += await eraseDigestSecretsIn(db, rows)
    rows = await digestSecrets.nextRows(db, rows.at(-1)?.cursor)
  }
  return erased
}

/**
 * Creates a job that removes the algorithms that are no longer offered from the Digest secrets. Each
 * call examines up to 5,000 users and returns how many were changed. After the last user, the next
 * pass starts a day later, because a process with another setting may have stored more meanwhile.
 * Several processes may run it at once.
 */
export function createDigestCleanup({
  algorithms,
  reencryption,
}: Pick<DigestSecrets, 'algorithms' | 'reencryption'>) {
  let cursor: string | undefined
  let nextPassAt: Instant = 0
  return async (db: Db, now: Instant): Promise<number> => {
    if (now < nextPassAt) return 0
    if (algorithms.length === 0) {
      nextPassAt = now + dayMs
      return eraseDigestSecrets(db)
    }
    let cleaned = 0
    for (let batch = 0; batch < maxBatchesPerCall; batch += 1) {
      const result = await reencryptBatch(db, digestSecrets, reencryption, cursor)
      cleaned += result.reencrypted
      cursor = result.last
      if (cursor !== undefined) continue
      nextPassAt = now + dayMs
      break
    }
    return cleaned
  }
}
