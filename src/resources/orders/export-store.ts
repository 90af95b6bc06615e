import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'
import type { OrderRow } from './table.ts'

const newestOf = prepared((db: Db, param: { userId: number; most: number }) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy('id', 'desc')
    .limit(param.most),
)

/** The newest orders of a user, up to `most`, removed ones included. */
export const ordersForExport = (db: Db, userId: number, most: number): Promise<OrderRow[]> =>
  newestOf.all(db, { userId, most })
