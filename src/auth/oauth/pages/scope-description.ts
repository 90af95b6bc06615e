import type { Role } from '#http/declare/caller.ts'
import type { PageMessageKey, PageMessages } from '#i18n/oauth-pages/messages.ts'

const keyFor = (scope: string, role: Role, messages: PageMessages): PageMessageKey => {
  const key = `scope.${scope}.${role}`
  return (Object.hasOwn(messages, key) ? key : `scope.${scope}`) as PageMessageKey
}

/** What a scope grants when a user of this role grants it. */
export const scopeSentence = (messages: PageMessages, scope: string, role: Role): string =>
  messages[keyFor(scope, role, messages)]

/** True for a scope that grants more when an administrator grants it. */
export const isWiderForAdmins = (messages: PageMessages, scope: string): boolean =>
  keyFor(scope, 'admin', messages) !== keyFor(scope, 'customer', messages)
