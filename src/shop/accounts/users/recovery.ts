import type { Recovery } from '#shop/recovery.ts'
import { endUserSessions, revokeUserTokens } from './end-access-store.ts'

/** Ends the sessions of a user. */
export const sessionRecovery: Recovery = {
  resources: [],
  tables: ['sessions', 'refresh_tokens'],
  end: (db, userId, { at }) => endUserSessions(db, { userId }, at),
}

/** Ends the browser sessions of a user, and the grants and tokens of clients for the user. */
export const oauthRecovery: Recovery = {
  resources: [],
  tables: ['oauth_artefacts'],
  end: (db, userId) => revokeUserTokens(db, userId),
}
