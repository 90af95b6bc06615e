import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'

/** Throws 422/4221 when a change gives another value to a field that cannot be changed. */
export function requireUnchangedField(field: string, current: string, changed: string): void {
  if (current === changed) return
  throw fieldProblem([{ field, message: createMessage('field.fixed') }])
}
