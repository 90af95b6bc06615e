import { webhookSecretName } from '#auth/webhook-secrets.ts'
import type { Db } from '#db/database.ts'
import { prepareQuery } from '#db/query/prepared.ts'

/** A row with an encrypted value. */
export interface SealedRow {
  /** The key of the row, by which the rows are ordered. */
  readonly cursor: string
  /** The name to which the value is bound. */
  readonly name: string
  readonly sealed: string
}

/** A database column of encrypted values. */
export interface SealedColumn {
  /** The next batch of rows after a cursor; the first batch without one. */
  readonly nextRows: (db: Db, after: string | undefined) => Promise<readonly SealedRow[]>
  /** Replaces the value if it is unchanged; returns the number of changed rows, 0 or 1. */
  readonly replace: (db: Db, row: SealedRow, resealed: string) => Promise<number>
}

const batchSize = 500

const replaceDigestSecret = prepareQuery(
  (db: Db, param: { id: number; sealed: string; resealed: string }) =>
    db
      .updateTable('users')
      .set({ digest_secret: param.resealed })
      .where('id', '=', param.id)
      .where('digest_secret', '=', param.sealed),
)

/** The Digest secrets of users. */
export const digestSecrets: SealedColumn = {
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'username', 'digest_secret'])
      .where('id', '>', Number(after))
      .where('digest_secret', 'is not', null)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    return rows.map(({ id, username, digest_secret }) => ({
      cursor: String(id),
      name: username ?? '',
      sealed: digest_secret ?? '',
    }))
  },
  replace: (db, { cursor, sealed }, resealed) =>
    replaceDigestSecret.run(db, { id: Number(cursor), sealed, resealed }),
}

/** Erases the Digest secrets of the users from the first to the last of these rows. */
export async function eraseDigestSecretsIn(db: Db, rows: readonly SealedRow[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ digest_secret: null })
    .where('id', '>=', Number(rows[0]?.cursor))
    .where('id', '<=', Number(rows.at(-1)?.cursor))
    .where('digest_secret', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

const replaceResponse = prepareQuery(
  (db: Db, param: { name: string; sealed: string; resealed: string }) =>
    db
      .updateTable('idempotency_keys')
      .set({ answer: param.resealed })
      .where('name', '=', param.name)
      .where('answer', '=', param.sealed),
)

/** The stored responses of Idempotency-Keys. */
export const storedResponses: SealedColumn = {
  nextRows: async (db, after = '') => {
    const rows = await db
      .selectFrom('idempotency_keys')
      .select(['name', 'answer'])
      .where('name', '>', after)
      .where('answer', 'is not', null)
      .orderBy('name')
      .limit(batchSize)
      .execute()
    return rows.map(({ name, answer }) => ({ cursor: name, name, sealed: answer ?? '' }))
  },
  replace: (db, { name, sealed }, resealed) => replaceResponse.run(db, { name, sealed, resealed }),
}

const replaceSigningKey = prepareQuery(
  (db: Db, param: { number: number; sealed: string; resealed: string }) =>
    db
      .updateTable('oauth_keys')
      .set({ sealed: param.resealed })
      .where('number', '=', param.number)
      .where('sealed', '=', param.sealed),
)

/** The private keys that sign the tokens of OAuth clients; `nameOf` returns the name of a key. */
export const signingKeys = (nameOf: (kid: string) => string): SealedColumn => ({
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('oauth_keys')
      .select(['number', 'kid', 'sealed'])
      .where('number', '>', Number(after))
      .orderBy('number')
      .limit(batchSize)
      .execute()
    return rows.map(({ number, kid, sealed }) => ({
      cursor: String(number),
      name: nameOf(kid),
      sealed,
    }))
  },
  replace: (db, { cursor, sealed }, resealed) =>
    replaceSigningKey.run(db, { number: Number(cursor), sealed, resealed }),
})

const replacePayload = prepareQuery(
  (db: Db, param: { kind: string; idHash: string; sealed: string; resealed: string }) =>
    db
      .updateTable('oauth_artefacts')
      .set({ payload: param.resealed })
      .where('kind', '=', param.kind)
      .where('id_hash', '=', param.idHash)
      .where('payload', '=', param.sealed),
)

const splitCursor = (cursor: string): readonly [string, string] => {
  const [kind = '', idHash = ''] = cursor.split(' ')
  return [kind, idHash]
}

/** The payloads of the OpenID provider; `nameOf` returns the name of a payload. */
export const oidcPayloads = (nameOf: (kind: string, idHash: string) => string): SealedColumn => ({
  nextRows: async (db, after = ' ') => {
    const [afterKind, afterHash] = splitCursor(after)
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
      .limit(batchSize)
      .execute()
    return rows.map(({ kind, id_hash, payload }) => ({
      cursor: `${kind} ${id_hash}`,
      name: nameOf(kind, id_hash),
      sealed: payload,
    }))
  },
  replace: (db, { cursor, sealed }, resealed) => {
    const [kind, idHash] = splitCursor(cursor)
    return replacePayload.run(db, { kind, idHash, sealed, resealed })
  },
})

/** The secrets of webhooks, in one of their two columns. */
export const webhookSecrets = (column: 'secret' | 'replaced_secret'): SealedColumn => ({
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('webhooks')
      .select(['id', `${column} as sealed`])
      .where('id', '>', Number(after))
      .where(column, '!=', '')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    return rows.map(({ id, sealed }) => ({
      cursor: String(id),
      name: webhookSecretName(id),
      sealed: sealed ?? '',
    }))
  },
  replace: async (db, { cursor, sealed }, resealed) => {
    const { numUpdatedRows } = await db
      .updateTable('webhooks')
      .set({ [column]: resealed })
      .where('id', '=', Number(cursor))
      .where(column, '=', sealed)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})

const replaceAction = prepareQuery(
  (db: Db, param: { id: number; sealed: string; resealed: string }) =>
    db
      .updateTable('payments')
      .set({ next_action: param.resealed })
      .where('id', '=', param.id)
      .where('next_action', '=', param.sealed),
)

/** What buyers have to do for the payments that wait for them. */
export const paymentActions: SealedColumn = {
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('payments')
      .select(['id', 'attempt_key', 'next_action'])
      .where('id', '>', Number(after))
      .where('settle_after', 'is not', null)
      .where('next_action', 'is not', null)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    return rows.map(({ id, attempt_key, next_action }) => ({
      cursor: String(id),
      name: attempt_key,
      sealed: next_action ?? '',
    }))
  },
  replace: (db, { cursor, sealed }, resealed) =>
    replaceAction.run(db, { id: Number(cursor), sealed, resealed }),
}
