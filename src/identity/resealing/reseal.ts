import type { Db } from '#store/database.ts'
import type { SecretKeys } from '../keys.ts'
import { artefactSealName } from '../oauth/artefacts/adapter.ts'
import { keySealName } from '../oauth/keys/ring.ts'
import { openSealer } from '../sealing.ts'
import { artefacts, digestSecrets, keptAnswers, type SealedPlace, signingKeys } from './store.ts'

/** How much was sealed anew, and how much opens under none of the secrets and was left. */
export interface Resealed {
  readonly resealed: number
  readonly unreadable: number
}

/**
 * Seals under the first secret all that the database keeps under one of the others, row by row, so
 * that it may run beside any number of servers and once more after it was stopped. Afterwards the
 * others are needed for nothing that is kept.
 */
export async function resealAll(db: Db, secretKeys: SecretKeys): Promise<Resealed> {
  const sealer = openSealer(secretKeys)
  const places = [
    { place: digestSecrets, by: openSealer(secretKeys, 'digest-secret') },
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

async function resealIn(
  db: Db,
  { next, swap }: SealedPlace,
  { seal, open, isLasting }: ReturnType<typeof openSealer>,
): Promise<Resealed> {
  let resealed = 0
  let unreadable = 0
  for (let rows = await next(db, undefined); rows.length > 0; ) {
    for (const row of rows) {
      const { sealed, name } = row
      if (isLasting(sealed, name)) continue
      const text = open(sealed, name)
      if (text === undefined) unreadable += 1
      else resealed += await swap(db, row, seal(text, name))
    }
    rows = await next(db, rows.at(-1)?.row)
  }
  return { resealed, unreadable }
}
