import { say } from '#i18n/message.ts'
import { fieldRefusal, type Refusal } from '#values/problem.ts'
import { isSimilarToName } from '#values/similar-name.ts'

/** Makes the 422 of a password that is widely used. */
export const commonPassword = (): Refusal =>
  fieldRefusal([{ field: 'password', message: say('user.common_password') }])

/** Refuses with 422 a password that is one of the user's names, or the name of the shop. */
export function requireOtherThan(names: readonly (string | null)[], password: string): void {
  if (!isSimilarToName(password, names)) return
  throw fieldRefusal([{ field: 'password', message: say('user.password_is_name') }])
}
