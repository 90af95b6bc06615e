import { type Kysely, sql } from 'kysely'
import { dialectOf } from '#db/query/dialect.ts'
import type { Tables } from '#db/tables/tables.ts'

/**
 * Gives PostgreSQL a function by which a statement fails, as one that lost a race, that did not
 * find as many rows as it has to.
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
