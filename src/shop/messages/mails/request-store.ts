import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { MailRequestTable } from '#store/tables/mail-tables.ts'

type NewRequest = Pick<MailRequestTable, 'kind' | 'email' | 'user_id' | 'created_at'>

const insert = prepareQuery((db: Db, param: NewRequest) =>
  db.insertInto('mail_requests').values({
    kind: param.kind,
    email: param.email,
    user_id: param.user_id,
    created_at: param.created_at,
  }),
)

/** Stores a request for a mail, which a job answers, in the same time for every address. */
export async function insertMailRequest(db: Db, request: NewRequest): Promise<void> {
  await insert.run(db, request)
}
