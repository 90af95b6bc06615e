import type { Kysely } from 'kysely'
import { createInitialTables } from '#store/migrations/0001-initial.ts'
import { createIdempotencyKeys } from '#store/migrations/0002-idempotency-keys.ts'
import type { Tables } from '#store/tables.ts'

/** One step of the schema; its name is kept in the database and never changes. */
export interface Migration {
  readonly name: string
  up(db: Kysely<Tables>): Promise<void>
}

/** Every step of the schema, in the order in which they are run. */
export const migrations: readonly Migration[] = [
  { name: '0001-initial', up: createInitialTables },
  { name: '0002-idempotency-keys', up: createIdempotencyKeys },
]
