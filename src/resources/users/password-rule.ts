import { createMessage } from '#i18n/message.ts'
import { fieldProblem, type Problem } from '#values/problem.ts'
import { isSimilarToName } from '#values/similar-name.ts'

/** Makes the 422 of a password that is widely used. */
export const commonPassword = (): Problem =>
  fieldProblem([{ field: 'password', message: createMessage('user.common_password') }])

/** Refuses with 422 a password that is one of the user's names, or the name of the shop. */
export function requireOtherThan(names: readonly (string | null)[], password: string): void {
  if (!isSimilarToName(password, names)) return
  throw fieldProblem([{ field: 'password', message: createMessage('user.password_is_name') }])
}
