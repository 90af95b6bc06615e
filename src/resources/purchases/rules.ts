import { refusal } from '#values/refusal.ts'

/** Who asks for purchases. */
interface Reader {
  readonly userId: number | null
  readonly role: 'customer' | 'admin' | null
}

/**
 * Whose purchases a reader is shown, undefined for everybody's: an administrator those asked for,
 * anyone else their own; asking for another user's is refused with 403.
 */
export function buyerShownTo({ userId, role }: Reader, asked?: number): number | undefined {
  if (role === 'admin') return asked
  if (userId === null || (asked !== undefined && asked !== userId)) {
    throw refusal('4031', 'detail.not_owner')
  }
  return userId
}

/** By what is announced that something was bought, or its money given back. */
export const purchaseChanges = 'purchases'
