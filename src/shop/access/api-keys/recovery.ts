import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Recovery } from '#shop/recovery.ts'
import { revokeKey } from './store.ts'
import { apiKeys } from './table.ts'

/** Revokes the API keys of a user. */
export const apiKeyRecovery: Recovery = {
  resources: ['api_key'],
  tables: ['api_keys', 'api_key_secrets'],
  endsWithRole: true,
  end: async (db, user_id, auditActor) => {
    for (const key of await apiKeys.findAll(db, { user_id, revoked_at: null }, { order: 'id' })) {
      await revokeKey(db, key, auditActor.at)
      const details = { id: key.id }
      const event = { action: 'api_key_revoked', subjectId: user_id, details } as const
      await recordAuditEvent(db, auditActor, event)
    }
  },
}
