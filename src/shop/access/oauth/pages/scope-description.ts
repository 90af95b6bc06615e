import type { Role } from '#http/declare/actor.ts'
import type { PageMessageKey, PageMessages } from '#i18n/oauth-pages/en.ts'

const keyFor = (scope: string, role: Role, messages: PageMessages): PageMessageKey => {
  const key = `scope.${scope}.${role}`
  return (Object.hasOwn(messages, key) ? key : `scope.${scope}`) as PageMessageKey
}

/** Describes what a scope allows when a user of this role grants it. */
export const scopeDescription = (messages: PageMessages, scope: string, role: Role): string =>
  messages[keyFor(scope, role, messages)]

/** True for a scope that allows more when an administrator grants it. */
export const isWiderForAdmins = (messages: PageMessages, scope: string): boolean =>
  keyFor(scope, 'admin', messages) !== keyFor(scope, 'customer', messages)
