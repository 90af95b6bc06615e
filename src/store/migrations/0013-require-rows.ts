import { type Kysely, sql } from 'kysely'
import { dialectOf } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables/tables.ts'

/**
 * Creates, on PostgreSQL, the function `require_rows`: it raises a serialization failure if a
 * statement changed another number of rows than it must.
 */
export async function createRequireRows(db: Kysely<Tables>): Promise<void> {
  if (dialectOf(db) === 'sqlite') return
  await sql`
    create function require_rows(changed bigint, wanted bigint) returns bigint
      language plpgsql as $body$ begin
        if changed <> wanted then
          raise exception 'the rows have changed since they were read' using errcode = '40001';
        end if;
        return changed;
      end $body$`.execute(db)
}
