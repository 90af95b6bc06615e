import type { openDigestSecrets } from '#auth/digest/secrets.ts'
import type { Db } from '#db/database.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { reencryptBatch } from './re-encrypt.ts'
import { digestSecrets, eraseDigestsIn } from './store.ts'

const batchesARound = 10

/** Erases every secret of Digest, in batches, and resolves to how many there were. */
export async function eraseDigestSecrets(db: Db): Promise<number> {
  let erased = 0
  for (let rows = await digestSecrets.next(db, undefined); rows.length > 0; ) {
    erased += await eraseDigestsIn(db, rows)
    rows = await digestSecrets.next(db, rows.at(-1)?.row)
  }
  return erased
}

/**
 * Drops from the secrets of Digest the algorithms that are not offered. Each call does some thousand
 * users and resolves to how many were changed. Once all have been looked at, the next pass
 * begins a day later, since a process with an older setting may have kept more meanwhile. Any number of
 * processes may do so at once.
 */
export function openDigestCleanup({
  algorithms,
  reencryption,
}: Pick<ReturnType<typeof openDigestSecrets>, 'algorithms' | 'reencryption'>) {
  let after: string | undefined
  let dueAt: Instant = 0
  return async (db: Db, now: Instant): Promise<number> => {
    if (now < dueAt) return 0
    if (algorithms.length === 0) {
      dueAt = now + dayMs
      return eraseDigestSecrets(db)
    }
    let cleaned = 0
    for (let batch = 0; batch < batchesARound; batch += 1) {
      const done = await reencryptBatch(db, digestSecrets, reencryption, after)
      cleaned += done.reencrypted
      after = done.last
      if (after !== undefined) continue
      dueAt = now + dayMs
      break
    }
    return cleaned
  }
}
