import type { Holding } from '#store/holding.ts'
import { dropKeysOf } from './store.ts'

/** The keys by which programs call in the name of a user. */
export const apiKeyHolding: Holding = {
  name: 'api_keys',
  tables: ['api_key_secrets', 'api_keys'],
  erase: (db, { id }) => dropKeysOf(db, id),
}
