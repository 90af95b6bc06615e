import { forgetAnswersOf } from '#http/pipeline/idempotency/store.ts'
import type { Holding } from '#resources/personal-data.ts'

/** What was answered under an Idempotency-Key; it has been told once, and is kept for a day. */
export const answerHolding: Holding = {
  name: 'answers',
  description: 'What was answered under an Idempotency-Key.',
  tables: ['idempotency_keys'],
  erase: (db, { id }) => forgetAnswersOf(db, id),
}
