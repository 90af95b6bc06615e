import { type DigestSetting, openDigestSecrets } from '#auth/digest/secrets.ts'
import { openSealer } from '#auth/encryption.ts'
import type { SecretKeys } from '#auth/keys.ts'
import { keySealName } from '#auth/oauth/keys/key-ring.ts'
import { artefactSealName } from '#auth/oauth/payloads/adapter.ts'
import type { Db } from '#db/database.ts'
import { artefacts, digestSecrets, keptAnswers, type SealedPlace, signingKeys } from './store.ts'

/** How much was sealed anew, and how much opens under none of the secrets and was left. */
export interface Resealed {
  readonly resealed: number
  readonly unreadable: number
}

type Sealer = ReturnType<typeof openSealer>

/**
 * Seals under the first secret all that the database keeps under one of the others, row by row, so
 * that it may run beside any number of servers and once more after it was stopped. Afterwards the
 * others are needed for nothing that is kept.
 */
export async function resealAll(
  db: Db,
  secretKeys: SecretKeys,
  digest: DigestSetting = 'on',
): Promise<Resealed> {
  const sealer = openSealer(secretKeys)
  const places = [
    { place: digestSecrets, by: openDigestSecrets(secretKeys, digest).resealing },
    { place: keptAnswers, by: sealer },
    { place: signingKeys(keySealName), by: sealer },
    { place: artefacts(artefactSealName), by: sealer },
  ]
  let resealed = 0
  let unreadable = 0
  for (const { place, by } of places) {
    const done = await resealIn(db, place, by)
    resealed += done.resealed
    unreadable += done.unreadable
  }
  return { resealed, unreadable }
}

async function resealIn(db: Db, place: SealedPlace, by: Sealer): Promise<Resealed> {
  let resealed = 0
  let unreadable = 0
  let after: string | undefined
  do {
    const done = await resealBatch(db, place, by, after)
    resealed += done.resealed
    unreadable += done.unreadable
    after = done.last
  } while (after !== undefined)
  return { resealed, unreadable }
}

/** Seals anew what has to be of the next rows after `after`; `last` is undefined where there are none. */
export async function resealBatch(
  db: Db,
  { next, swap }: SealedPlace,
  { seal, open, isLasting }: Sealer,
  after: string | undefined,
): Promise<Resealed & { readonly last: string | undefined }> {
  let resealed = 0
  let unreadable = 0
  const rows = await next(db, after)
  for (const row of rows) {
    const { sealed, name } = row
    if (isLasting(sealed, name)) continue
    const text = open(sealed, name)
    if (text === undefined) unreadable += 1
    else resealed += await swap(db, row, seal(text, name))
  }
  return { resealed, unreadable, last: rows.at(-1)?.row }
}
