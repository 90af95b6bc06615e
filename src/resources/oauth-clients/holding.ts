import type { Holding } from '#store/holding.ts'
import { releaseClientsOf, withdrawTokensOf } from './store.ts'

/** Which applications act as a user, and what they were issued to do so. */
export const oauthClientHolding: Holding = {
  name: 'oauth_clients',
  tables: ['oauth_clients', 'oauth_artefacts'],
  erase: async (db, { id, now }) => {
    await withdrawTokensOf(db, id)
    await releaseClientsOf(db, id, now)
  },
}
