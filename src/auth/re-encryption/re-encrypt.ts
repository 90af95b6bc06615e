import { type DigestSetting, openDigestSecrets } from '#auth/digest/secrets.ts'
import { openSealer } from '#auth/encryption.ts'
import type { SecretKeys } from '#auth/keys.ts'
import { keySealName } from '#auth/oauth/keys/key-ring.ts'
import { payloadSealName } from '#auth/oauth/payloads/adapter.ts'
import type { Db } from '#db/database.ts'
import {
  digestSecrets,
  idempotencyStore,
  payloads,
  type SealedPlace,
  signingKeys,
} from './store.ts'

/** How much was sealed anew, and how much opens under none of the secrets and was left. */
export interface Reencrypted {
  readonly reencrypted: number
  readonly unreadable: number
}

type Sealer = ReturnType<typeof openSealer>

/**
 * Seals under the first secret all that the database keeps under one of the others, row by row, so
 * that it may run beside any number of servers and once more after it was stopped. Afterwards the
 * others are needed for nothing that is kept.
 */
export async function reencryptAll(
  db: Db,
  secretKeys: SecretKeys,
  digest: DigestSetting = 'on',
): Promise<Reencrypted> {
  const sealer = openSealer(secretKeys)
  const places = [
    { place: digestSecrets, by: openDigestSecrets(secretKeys, digest).reencryption },
    { place: idempotencyStore, by: sealer },
    { place: signingKeys(keySealName), by: sealer },
    { place: payloads(payloadSealName), by: sealer },
  ]
  let reencrypted = 0
  let unreadable = 0
  for (const { place, by } of places) {
    const done = await reencryptIn(db, place, by)
    reencrypted += done.reencrypted
    unreadable += done.unreadable
  }
  return { reencrypted, unreadable }
}

async function reencryptIn(db: Db, place: SealedPlace, by: Sealer): Promise<Reencrypted> {
  let reencrypted = 0
  let unreadable = 0
  let after: string | undefined
  do {
    const done = await reencryptBatch(db, place, by, after)
    reencrypted += done.reencrypted
    unreadable += done.unreadable
    after = done.last
  } while (after !== undefined)
  return { reencrypted, unreadable }
}

/** Seals anew what has to be of the next rows after `after`; `last` is undefined where there are none. */
export async function reencryptBatch(
  db: Db,
  { next, swap }: SealedPlace,
  { seal, open, isLasting }: Sealer,
  after: string | undefined,
): Promise<Reencrypted & { readonly last: string | undefined }> {
  let reencrypted = 0
  let unreadable = 0
  const rows = await next(db, after)
  for (const row of rows) {
    const { sealed, name } = row
    if (isLasting(sealed, name)) continue
    const text = open(sealed, name)
    if (text === undefined) unreadable += 1
    else reencrypted += await swap(db, row, seal(text, name))
  }
  return { reencrypted, unreadable, last: rows.at(-1)?.row }
}
