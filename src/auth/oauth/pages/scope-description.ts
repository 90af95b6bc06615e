import type { Role } from '#http/declare/caller.ts'
import type { WordKey, Words } from '#i18n/oauth-pages/messages.ts'

const keyFor = (scope: string, role: Role, words: Words): WordKey => {
  const key = `scope.${scope}.${role}`
  return (Object.hasOwn(words, key) ? key : `scope.${scope}`) as WordKey
}

/** What a scope grants when a user of this role grants it. */
export const scopeSentence = (words: Words, scope: string, role: Role): string =>
  words[keyFor(scope, role, words)]

/** True for a scope that grants more when an administrator grants it. */
export const isWiderForAdmins = (words: Words, scope: string): boolean =>
  keyFor(scope, 'admin', words) !== keyFor(scope, 'customer', words)
