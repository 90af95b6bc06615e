import { webhookAssociatedData } from '#src/secrets/webhook-secrets.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'

/** A row with an encrypted value. */
export interface EncryptedRow {
  /** The key of the row, by which the rows are ordered. */
  readonly cursor: string
  /** The name to which the value is bound. */
  readonly name: string
  readonly ciphertext: string
}

/** A database column of encrypted values. */
export interface EncryptedColumn {
  /** The next batch of rows after a cursor; the first batch without one. */
  readonly nextRows: (db: Db, after: string | undefined) => Promise<readonly EncryptedRow[]>
  /** Replaces the value if it is unchanged; returns the number of changed rows, 0 or 1. */
  readonly replace: (db: Db, row: EncryptedRow, reencrypted: string) => Promise<number>
}

const batchSize = 500

const replaceDigestSecret = prepareQuery(
  (db: Db, param: { id: number; ciphertext: string; reencrypted: string }) =>
    db
      .updateTable('users')
      .set({ digest_secret: param.reencrypted })
      .where('id', '=', param.id)
      .where('digest_secret', '=', param.ciphertext),
)

/** The Digest secrets of users. */
export const digestSecrets: EncryptedColumn = {
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
      ciphertext: digest_secret ?? '',
    }))
  },
  replace: (db, { cursor, ciphertext }, reencrypted) =>
    replaceDigestSecret.run(db, { id: Number(cursor), ciphertext, reencrypted }),
}

/** Erases the Digest secrets of the users from the first to the last of these rows. */
export async function eraseDigestSecretsIn(db: Db, rows: readonly EncryptedRow[]): Promise<number> {
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
  (db: Db, param: { name: string; ciphertext: string; reencrypted: string }) =>
    db
      .updateTable('idempotency_keys')
      .set({ answer: param.reencrypted })
      .where('name', '=', param.name)
      .where('answer', '=', param.ciphertext),
)

/** The stored responses of Idempotency-Keys. */
export const storedResponses: EncryptedColumn = {
  nextRows: async (db, after = '') => {
    const rows = await db
      .selectFrom('idempotency_keys')
      .select(['name', 'answer'])
      .where('name', '>', after)
      .where('answer', 'is not', null)
      .orderBy('name')
      .limit(batchSize)
      .execute()
    return rows.map(({ name, answer }) => ({ cursor: name, name, ciphertext: answer ?? '' }))
  },
  replace: (db, { name, ciphertext }, reencrypted) =>
    replaceResponse.run(db, { name, ciphertext, reencrypted }),
}

const replaceSigningKey = prepareQuery(
  (db: Db, param: { number: number; ciphertext: string; reencrypted: string }) =>
    db
      .updateTable('oauth_keys')
      .set({ sealed: param.reencrypted })
      .where('number', '=', param.number)
      .where('sealed', '=', param.ciphertext),
)

/** The private keys that sign the tokens of OAuth clients; `nameOf` returns the name of a key. */
export const signingKeys = (nameOf: (kid: string) => string): EncryptedColumn => ({
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('oauth_keys')
      .select(['number', 'kid', 'sealed as ciphertext'])
      .where('number', '>', Number(after))
      .orderBy('number')
      .limit(batchSize)
      .execute()
    return rows.map(({ number, kid, ciphertext }) => ({
      cursor: String(number),
      name: nameOf(kid),
      ciphertext,
    }))
  },
  replace: (db, { cursor, ciphertext }, reencrypted) =>
    replaceSigningKey.run(db, { number: Number(cursor), ciphertext, reencrypted }),
})

const replacePayload = prepareQuery(
  (db: Db, param: { kind: string; idHash: string; ciphertext: string; reencrypted: string }) =>
    db
      .updateTable('oauth_artefacts')
      .set({ payload: param.reencrypted })
      .where('kind', '=', param.kind)
      .where('id_hash', '=', param.idHash)
      .where('payload', '=', param.ciphertext),
)

const splitCursor = (cursor: string): readonly [string, string] => {
  const [kind = '', idHash = ''] = cursor.split(' ')
  return [kind, idHash]
}

/** The payloads of the OpenID provider; `nameOf` returns the name of a payload. */
export const oidcPayloads = (
  nameOf: (kind: string, idHash: string) => string,
): EncryptedColumn => ({
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
      ciphertext: payload,
    }))
  },
  replace: (db, { cursor, ciphertext }, reencrypted) => {
    const [kind, idHash] = splitCursor(cursor)
    return replacePayload.run(db, { kind, idHash, ciphertext, reencrypted })
  },
})

/** The secrets of webhooks, in one of their two columns. */
export const webhookSecrets = (column: 'secret' | 'replaced_secret'): EncryptedColumn => ({
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('webhooks')
      .select(['id', `${column} as ciphertext`])
      .where('id', '>', Number(after))
      .where(column, '!=', '')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    return rows.map(({ id, ciphertext }) => ({
      cursor: String(id),
      name: webhookAssociatedData(id),
      ciphertext: ciphertext ?? '',
    }))
  },
  replace: async (db, { cursor, ciphertext }, reencrypted) => {
    const { numUpdatedRows } = await db
      .updateTable('webhooks')
      .set({ [column]: reencrypted })
      .where('id', '=', Number(cursor))
      .where(column, '=', ciphertext)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})

const replaceAction = prepareQuery(
  (db: Db, param: { id: number; ciphertext: string; reencrypted: string }) =>
    db
      .updateTable('payments')
      .set({ next_action: param.reencrypted })
      .where('id', '=', param.id)
      .where('next_action', '=', param.ciphertext),
)

/** What buyers have to do for the payments that wait for them. */
export const paymentActions: EncryptedColumn = {
  nextRows: async (db, after = '0') => {
    const rows = await db
      .selectFrom('payments')
      .select(['id', 'idempotency_key', 'next_action'])
      .where('id', '>', Number(after))
      .where('due_at', 'is not', null)
      .where('next_action', 'is not', null)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    return rows.map(({ id, idempotency_key, next_action }) => ({
      cursor: String(id),
      name: idempotency_key,
      ciphertext: next_action ?? '',
    }))
  },
  replace: (db, { cursor, ciphertext }, reencrypted) =>
    replaceAction.run(db, { id: Number(cursor), ciphertext, reencrypted }),
}
