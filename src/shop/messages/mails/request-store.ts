import type { Row } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { mailRequests } from './table.ts'

type NewRequest = Omit<Row<(typeof mailRequests)['schemas']>, 'id'>

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
