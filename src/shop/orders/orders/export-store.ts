import type { Db } from '#store/database.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { OrderRow } from './table.ts'

const newestOf = prepareQuery((db: Db, param: { userId: number; maxRows: number }) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.maxRows),
)

/** The newest orders of a user, up to `maxRows`, removed ones included. */
export const findOrdersForExport = (db: Db, userId: number, maxRows: number): Promise<OrderRow[]> =>
  newestOf.all(db, { userId, maxRows })
