import { deleteResponsesOf } from '#http/pipeline/idempotency/store.ts'
import type { PersonalData } from '#resources/personal-data.ts'

/** What was answered under an Idempotency-Key; it has been told once, and is kept for a day. */
export const idempotencyPersonalData: PersonalData = {
  name: 'answers',
  description: 'What was answered under an Idempotency-Key.',
  tables: ['idempotency_keys'],
  erase: (db, { id }) => deleteResponsesOf(db, id),
}
