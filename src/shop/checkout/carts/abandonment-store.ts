import type { Db } from '#store/database.ts'
import { dialectOf, idIn } from '#store/query/dialect.ts'
import type { Instant } from '#values/instant.ts'

/**
 * Marks at most `limit` carts without a change since `before` as idle, and returns the IDs of their
 * users. Each cart is returned once until it changes; concurrent processes get different ones.
 */
export async function markIdleCarts(
  transactionDb: Db,
  before: Instant,
  limit: number,
): Promise<readonly number[]> {
  const idle = await transactionDb
    .selectFrom('carts')
    .select('user_id')
    .where('idle_since', 'is', null)
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(limit)
    .$if(dialectOf(transactionDb) === 'postgres', (carts) => carts.forUpdate().skipLocked())
    .execute()
  if (idle.length === 0) return []
  const userIds = idle.map(({ user_id }) => user_id)
  await transactionDb
    .updateTable('carts')
    .set(({ ref }) => ({ idle_since: ref('updated_at') }))
    .where(idIn(transactionDb, 'carts.user_id', userIds))
    .execute()
  return userIds
}
