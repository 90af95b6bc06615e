import { entityDefinitionsOf } from '#http/declare/entities.ts'
import type { Route } from '#http/declare/route.ts'
import { apiKeyRecovery } from '#shop/access/api-keys/recovery.ts'
import { oauthClientRecovery } from '#shop/access/oauth-clients/recovery.ts'
import { erasureRecovery } from '#shop/accounts/erasures/actions.ts'
import { oauthRecovery, sessionRecovery } from '#shop/accounts/users/recovery.ts'
import { importRecovery } from '#shop/imports/recovery.ts'
import { accountTokenRecovery } from '#shop/messages/mails/recovery.ts'
import { webhookRecovery } from '#shop/messages/webhooks/recovery.ts'
import type { Recovery } from '#shop/recovery.ts'
import type { TableDeclaration } from '#store/declaration.ts'
import { tableDeclarations } from './tables.ts'

/** What ends when an account is recovered: by the declarations of everything with authority. */
export const recoveries: readonly Recovery[] = [
  // First, which ends what is created with a key or a client meanwhile.
  apiKeyRecovery,
  oauthClientRecovery,
  oauthRecovery,
  sessionRecovery,
  accountTokenRecovery,
  webhookRecovery,
  erasureRecovery,
  importRecovery,
]

/** The columns of secrets, by which whoever knows one is recognised. */
const secretColumn = /(_hash|secret)$/

/** The row of a user itself, whose password a recovery replaces, has no rule. */
const holdsSecrets = ({ columns, owner }: TableDeclaration): boolean =>
  owner?.column !== 'id' && columns.some(({ name }) => secretColumn.test(name))

/**
 * Throws a TypeError for a resource with `authority`, and for a table with secrets, of which no declaration
 * says what becomes of it when an account is recovered.
 */
export function requireRecoveries(
  routes: readonly Route[],
  tables: readonly TableDeclaration[] = tableDeclarations,
): void {
  const covered = new Set<string>(
    recoveries.flatMap(({ resources, tables: names }) => [...resources, ...names]),
  )
  const resources = [...entityDefinitionsOf(routes).values()].filter(({ authority }) => authority)
  const names = [
    ...resources.map(({ name }): string => name),
    ...tables.filter(holdsSecrets).map(({ table }) => table),
  ]
  const missing = names.filter((name) => !covered.has(name))
  if (missing.length > 0) {
    throw new TypeError(`src/server/recoveries.ts does not say how to end: ${missing.join(', ')}`)
  }
}
