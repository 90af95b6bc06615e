import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, createTable, integer, text } from './table-builder.ts'

/** Creates the table of known networks, with the IPv4 addresses of existing sessions. */
export async function createKnownNetworks(db: Kysely<Tables>): Promise<void> {
  await createTable(
    db,
    'known_networks',
    { user_id: integer(), network: text(), seen_at: integer() },
    (table) => table.addPrimaryKeyConstraint('known_networks_primary', ['user_id', 'network']),
  )
  await createIndex(db, 'known_networks', ['seen_at'])
  await sql`
    insert into known_networks (user_id, network, seen_at)
    select user_id, replace(address, '::ffff:', ''), max(updated_at)
    from sessions where address like '%.%'
    group by user_id, replace(address, '::ffff:', '')`.execute(db)
}
