import type { Recovery } from '#shop/recovery.ts'
import { cancelOperationsOf } from './store.ts'

/** Cancels the imports that a user began; what they have stored stays. */
export const importRecovery: Recovery = {
  resources: [],
  tables: ['operations'],
  end: (db, userId, { at }) => cancelOperationsOf(db, userId, at),
}
