import type { Db } from '#db/database.ts'
import { createMessage, type Message } from '#i18n/message.ts'
import type { StoredDiscount } from './rules.ts'
import { isUsedUpBy } from './store.ts'

/** Returns why a user cannot use a discount once more; undefined if the user can. */
export async function findUsedUpReason(
  db: Db,
  discount: StoredDiscount | undefined,
  userId: number,
): Promise<Message | undefined> {
  const isUsedUp = discount && (await isUsedUpBy(db, discount, userId))
  return isUsedUp ? createMessage('discount.used_up_by_user', { code: discount.code }) : undefined
}
