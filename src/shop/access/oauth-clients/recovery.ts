import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Recovery } from '#shop/recovery.ts'
import { clientEvent } from './rules.ts'
import { removeClient } from './store.ts'
import { oauthClients } from './table.ts'

/** Removes the clients that act as a user with their own credentials. */
export const oauthClientRecovery: Recovery = {
  resources: ['oauth_client'],
  tables: ['oauth_clients'],
  endsWithRole: true,
  end: async (db, user_id, auditActor) => {
    const clients = await oauthClients.findAll(db, { user_id, deleted_at: null }, { order: 'id' })
    for (const client of clients) {
      if (!client.grant_types.includes('client_credentials')) continue
      await removeClient(db, client, auditActor.at)
      await recordAuditEvent(db, auditActor, clientEvent('oauth_client_removed', client))
    }
  },
}
