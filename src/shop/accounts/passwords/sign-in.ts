import type { Budget } from '#http/rate-limit/login-throttle.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import { findAccountByLoginName, type LoginAccount } from './account-store.ts'
import type { PasswordCheckParts } from './check.ts'

/** A sign-in with a password; `name` is a username or an email. */
export interface PasswordSignIn {
  readonly name: string
  readonly password: string
  readonly auditActor: AuditActor
  /** The budgets of the login throttle that it is counted in; all by default. */
  readonly budgets?: readonly Budget[]
}

/**
 * Returns the account that a name and a password identify, suspended ones included, removed ones
 * not. Without one, returns undefined and records the failed sign-in. Throws 429/4291 after too many
 * failures.
 */
export function findAccountByPassword(
  db: Db,
  { passwords, loginThrottle }: PasswordCheckParts,
  { name, password, auditActor, budgets }: PasswordSignIn,
): Promise<LoginAccount | undefined> {
  const attempt = { address: auditActor.address ?? '', name, now: auditActor.at }
  const verify = async () => {
    const account = await findAccountByLoginName(db, name)
    // Known and unknown names take the same time.
    const isRight = await passwords.matches(password, account?.password_hash ?? null)
    if (isRight && account?.deleted_at === null) return account
    // The name is not recorded: an unknown one may be a password typed into the wrong field.
    const failure = { action: 'sign_in_failed', subjectId: account?.id ?? null } as const
    await recordAuditEvent(db, auditActor, failure)
    return undefined
  }
  return loginThrottle.check(attempt, verify, budgets)
}
