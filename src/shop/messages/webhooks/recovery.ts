import { recordAuditEvent } from '#shop/audit/record.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Recovery } from '#shop/recovery.ts'
import { lockActivations } from './delivery/fan-out-store.ts'
import { disableOf } from './delivery/key-store.ts'
import { webhookEvent } from './events.ts'

/** Disables the webhooks that a user has set up; an administrator may activate them again. */
export const webhookRecovery: Recovery = {
  resources: ['webhook'],
  tables: ['webhooks'],
  end: async (db, userId, auditActor) => {
    await lockActivations(db)
    const disabled = await disableOf(db, userId, auditActor.at)
    for (const { id: webhook } of disabled) {
      const event = { action: 'webhook_changed', subjectId: userId, details: { webhook } } as const
      await recordAuditEvent(db, auditActor, event)
    }
    const events = disabled.map((each) => webhookEvent('webhook.disabled', each, auditActor.at))
    await recordEvents(db, events)
  },
}
