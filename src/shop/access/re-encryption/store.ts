import { type RawBuilder, sql } from 'kysely'
import { users } from '#shop/accounts/users/table.ts'
import { webhookAssociatedData } from '#src/secrets/webhook-secrets.ts'
import type { Db } from '#store/database.ts'
import type { Tables } from '#store/tables.ts'

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

/** Where encrypted values are. */
interface Source {
  readonly table: keyof Tables
  readonly column: string
  /** The columns of the key; of several, none has a blank. */
  readonly key: readonly string[]
  /** Values of the key before those of all rows. */
  readonly first: readonly (string | number)[]
  /** The column with the name to which the value is bound; by default the key, joined by blanks. */
  readonly name?: string
  readonly nameOf?: (name: string) => string
  /** A further condition of the rows. */
  readonly condition?: RawBuilder<unknown>
}

function encryptedColumn(source: Source): EncryptedColumn {
  const { first, nameOf = (name) => name, condition = sql`true` } = source
  const [table, column] = [sql.table(source.table), sql.ref(source.column)]
  const key = sql.join(source.key.map((name) => sql.ref(name)))
  const cursor = sql.join(
    source.key.map((name) => sql`cast(${sql.ref(name)} as text)`),
    sql` || ' ' || `,
  )
  const name = source.name === undefined ? cursor : sql.ref(source.name)
  const keyAt = (text: string) => {
    const parts = first.length === 1 ? [text] : text.split(' ')
    return sql.join(first.map((value, at) => (value === 0 ? Number(parts[at]) : parts[at])))
  }
  return {
    nextRows: async (db, after = first.join(' ')) => {
      const { rows } = await sql<Omit<EncryptedRow, 'name'> & { readonly name: string | null }>`
        select ${cursor} as "cursor", ${name} as name, ${column} as ciphertext from ${table}
        where (${key}) > (${keyAt(after)}) and ${column} <> '' and ${condition}
        order by ${key} limit ${sql.lit(batchSize)}`.execute(db)
      return rows.map((row) => ({ ...row, name: nameOf(row.name ?? '') }))
    },
    replace: async (db, row, reencrypted) => {
      const { numAffectedRows = 0n } = await sql`
        update ${table} set ${column} = ${reencrypted}
        where (${key}) = (${keyAt(row.cursor)}) and ${column} = ${row.ciphertext}`.execute(db)
      return Number(numAffectedRows)
    },
  }
}

const byId = { key: ['id'], first: [0] }

/** The Digest secrets of users. */
export const digestSecrets = encryptedColumn({
  ...{ table: 'users', column: 'digest_secret', ...byId, name: 'username' },
})

/** Erases the Digest secrets of the users from the first to the last of these rows. */
export const eraseDigestSecretsIn = (db: Db, rows: readonly EncryptedRow[]): Promise<number> =>
  users.update(db, { id: rows.map(({ cursor }) => Number(cursor)) }, { digest_secret: null })

/** The stored responses of Idempotency-Keys. */
export const storedResponses = encryptedColumn({
  ...{ table: 'idempotency_keys', column: 'answer', key: ['name'], first: [''], name: 'name' },
})

/** The private keys that sign the tokens of OAuth clients; `nameOf` returns the name of a key. */
export const signingKeys = (nameOf: (kid: string) => string): EncryptedColumn =>
  encryptedColumn({
    ...{ table: 'oauth_keys', column: 'sealed', key: ['number'], first: [0], name: 'kid', nameOf },
  })

/** The payloads of the OpenID provider; `nameOf` returns the name of a payload. */
export const oidcPayloads = (nameOf: (kind: string, idHash: string) => string): EncryptedColumn =>
  encryptedColumn({
    ...{ table: 'oauth_artefacts', column: 'payload', key: ['kind', 'id_hash'], first: ['', ''] },
    nameOf: (name) => {
      const [kind = '', idHash = ''] = name.split(' ')
      return nameOf(kind, idHash)
    },
  })

/** The secrets of webhooks, in one of their two columns. */
export const webhookSecrets = (column: 'secret' | 'replaced_secret'): EncryptedColumn =>
  encryptedColumn({
    ...{ table: 'webhooks', column, ...byId },
    nameOf: (id) => webhookAssociatedData(Number(id)),
  })

/** What buyers have to do for the payments that wait for them. */
export const paymentActions = encryptedColumn({
  ...{ table: 'payments', column: 'next_action', ...byId, name: 'attempt_key' },
  condition: sql`settle_after is not null`,
})
