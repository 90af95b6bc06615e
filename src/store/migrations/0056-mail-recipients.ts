import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, optionalText } from './table-builder.ts'

/** Adds to mails the former address of an account, to which a mail about its change goes. */
export async function addMailRecipients(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'mails', 'recipient', optionalText())
}
