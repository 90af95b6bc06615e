import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'

/** What is kept sealed in one place: the row it is in, the name it is bound to, and itself. */
export interface SealedRow {
  readonly row: string
  readonly name: string
  readonly sealed: string
}

/** Somewhere in the database where something is kept sealed. */
export interface SealedPlace {
  /** The next rows after this one, in their order; the first where there is none. */
  readonly next: (db: Db, after: string | undefined) => Promise<readonly SealedRow[]>
  /** Puts `by` where `sealed` still is; 0 where something else has come in its place. */
  readonly swap: (db: Db, row: SealedRow, by: string) => Promise<number>
}

const batch = 500

const swapDigest = prepared((db: Db, param: { id: number; sealed: string; by: string }) =>
  db
    .updateTable('users')
    .set({ digest_secret: param.by })
    .where('id', '=', param.id)
    .where('digest_secret', '=', param.sealed),
)

/** What Digest holds passwords to. */
export const digestSecrets: SealedPlace = {
  next: async (db, after = '0') => {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'username', 'digest_secret'])
      .where('id', '>', Number(after))
      .where('digest_secret', 'is not', null)
      .orderBy('id')
      .limit(batch)
      .execute()
    return rows.map(({ id, username, digest_secret }) => ({
      row: String(id),
      name: username ?? '',
      sealed: digest_secret ?? '',
    }))
  },
  swap: (db, { row, sealed }, by) => swapDigest.run(db, { id: Number(row), sealed, by }),
}

/** Erases what is kept for the users from the first to the last of these rows. */
export async function eraseDigestsIn(db: Db, rows: readonly SealedRow[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ digest_secret: null })
    .where('id', '>=', Number(rows[0]?.row))
    .where('id', '<=', Number(rows.at(-1)?.row))
    .where('digest_secret', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

const swapAnswer = prepared((db: Db, param: { name: string; sealed: string; by: string }) =>
  db
    .updateTable('idempotency_keys')
    .set({ answer: param.by })
    .where('name', '=', param.name)
    .where('answer', '=', param.sealed),
)

/** What callers were told under their Idempotency-Keys. */
export const idempotencyStore: SealedPlace = {
  next: async (db, after = '') => {
    const rows = await db
      .selectFrom('idempotency_keys')
      .select(['name', 'answer'])
      .where('name', '>', after)
      .where('answer', 'is not', null)
      .orderBy('name')
      .limit(batch)
      .execute()
    return rows.map(({ name, answer }) => ({ row: name, name, sealed: answer ?? '' }))
  },
  swap: (db, { name, sealed }, by) => swapAnswer.run(db, { name, sealed, by }),
}

const swapKey = prepared((db: Db, param: { number: number; sealed: string; by: string }) =>
  db
    .updateTable('oauth_keys')
    .set({ sealed: param.by })
    .where('number', '=', param.number)
    .where('sealed', '=', param.sealed),
)

/** The keys that tokens of OAuth are signed with, by the names that `nameOf` gives them. */
export const signingKeys = (nameOf: (kid: string) => string): SealedPlace => ({
  next: async (db, after = '0') => {
    const rows = await db
      .selectFrom('oauth_keys')
      .select(['number', 'kid', 'sealed'])
      .where('number', '>', Number(after))
      .orderBy('number')
      .limit(batch)
      .execute()
    return rows.map(({ number, kid, sealed }) => ({
      row: String(number),
      name: nameOf(kid),
      sealed,
    }))
  },
  swap: (db, { row, sealed }, by) => swapKey.run(db, { number: Number(row), sealed, by }),
})

const swapPayload = prepared(
  (db: Db, param: { kind: string; idHash: string; sealed: string; by: string }) =>
    db
      .updateTable('oauth_artefacts')
      .set({ payload: param.by })
      .where('kind', '=', param.kind)
      .where('id_hash', '=', param.idHash)
      .where('payload', '=', param.sealed),
)

const split = (row: string): readonly [string, string] => {
  const [kind = '', idHash = ''] = row.split(' ')
  return [kind, idHash]
}

/** The artefacts of OAuth, by the names that `nameOf` gives them. */
export const payloads = (nameOf: (kind: string, idHash: string) => string): SealedPlace => ({
  next: async (db, after = ' ') => {
    const [afterKind, afterHash] = split(after)
    const rows = await db
      .selectFrom('oauth_artefacts')
      .select(['kind', 'id_hash', 'payload'])
      .where((eb) =>
        eb.or([
          eb('kind', '>', afterKind),
          eb.and([eb('kind', '=', afterKind), eb('id_hash', '>', afterHash)]),
        ]),
      )
      .orderBy('kind')
      .orderBy('id_hash')
      .limit(batch)
      .execute()
    return rows.map(({ kind, id_hash, payload }) => ({
      row: `${kind} ${id_hash}`,
      name: nameOf(kind, id_hash),
      sealed: payload,
    }))
  },
  swap: (db, { row, sealed }, by) => {
    const [kind, idHash] = split(row)
    return swapPayload.run(db, { kind, idHash, sealed, by })
  },
})
