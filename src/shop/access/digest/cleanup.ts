import { digestColumn, users } from '#shop/accounts/users/table.ts'
import { reencryptBatch } from '#src/secrets/re-encrypt.ts'
import type { Db } from '#store/database.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import type { DigestSecrets } from './secrets.ts'

const maxBatchesPerCall = 10
const batchSize = 500

/** Erases all Digest secrets, in batches; returns how many were erased. */
export async function eraseDigestSecrets(db: Db): Promise<number> {
  let erased = 0
  let rows = await users.findAfter(db, 'digest_secret', undefined, batchSize)
  while (rows.length > 0) {
    const id = rows.map((row) => row.id)
    erased += await users.update(db, { id }, { digest_secret: null })
    rows = await users.findAfter(db, 'digest_secret', rows.at(-1), batchSize)
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
  let cursor: Awaited<ReturnType<typeof reencryptBatch>>['last']
  let nextPassAt: Instant = 0
  return async (db: Db, now: Instant): Promise<number> => {
    if (now < nextPassAt) return 0
    if (algorithms.length === 0) {
      nextPassAt = now + dayMs
      return eraseDigestSecrets(db)
    }
    let cleaned = 0
    for (let batch = 0; batch < maxBatchesPerCall; batch += 1) {
      const result = await reencryptBatch(
        db,
        { table: users, column: digestColumn },
        reencryption,
        cursor,
      )
      cleaned += result.reencrypted
      cursor = result.last
      if (cursor !== undefined) continue
      nextPassAt = now + dayMs
      break
    }
    return cleaned
  }
}
