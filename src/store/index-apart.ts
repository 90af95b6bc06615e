import type { IndexApart } from './declaration.ts'

/** The pages of a table with an index apart are filled to this percentage, so that new versions of rows find place. */
export const fillfactorSql = ' with (fillfactor = 80)'

/** Returns the statements that create an index apart on PostgreSQL: a table of its entries, and what keeps them. */
export function indexApartStatements(
  table: string,
  { table: apart, columns }: IndexApart<string>,
): readonly string[] {
  const names = [...columns, 'id']
  const listOf = (row: string) => names.map((name) => `${row}.${name}`).join(', ')
  const isChanged = [...columns, 'deleted_at']
    .map((name) => `old.${name} is distinct from new.${name}`)
    .join(' or ')
  return [
    `create table ${apart} (id bigint primary key, ${columns.map((name) => `${name} bigint not null`).join(', ')})`,
    `create index ${apart}_index on ${apart} (${names.join(', ')})`,
    // A statement that inserts many rows inserts their entries at once.
    `create function ${apart}_insert() returns trigger language plpgsql as $body$ begin
      insert into ${apart} (${names.join(', ')})
        select ${listOf('added')} from added where added.deleted_at is null;
      return null;
    end $body$`,
    `create trigger ${apart}_insert after insert on ${table} referencing new table as added
      for each statement execute function ${apart}_insert()`,
    `create function ${apart}_change() returns trigger language plpgsql as $body$ begin
      if tg_op = 'DELETE' or new.deleted_at is not null then
        delete from ${apart} where id = old.id;
      else
        insert into ${apart} (${names.join(', ')}) values (${listOf('new')}) on conflict (id)
          do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')};
      end if;
      return null;
    end $body$`,
    `create trigger ${apart}_delete after delete on ${table} for each row
      execute function ${apart}_change()`,
    `create trigger ${apart}_update after update on ${table} for each row when (${isChanged})
      execute function ${apart}_change()`,
  ]
}
