import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { Budget, LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { UserRow } from '#shop/accounts/users/table.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import type { Passwords } from './hash.ts'

/** What the verification of passwords depends on. */
export interface PasswordCheckParts {
  readonly passwords: Pick<Passwords, 'matches'>
  readonly loginThrottle: LoginThrottle
}

/** Who claims to know a password, and from where. */
export interface PasswordClaim {
  /** The name as sent, by which attempts at unknown accounts are counted. */
  readonly name: string
  /** Undefined for an unknown name. */
  readonly account: Pick<UserRow, 'id' | 'password_hash' | 'deleted_at'> | undefined
  readonly auditActor: AuditActor
  /** The budgets of the login throttle that it is counted in; all by default. */
  readonly budgets?: readonly Budget[]
}

/**
 * True if `prove` is; counts a failure by account, else by name, by network and by both, and records
 * it. Throws 429/4291 after too many. Every proof of a password comes here.
 */
export const verifyProof = (
  db: Db,
  { loginThrottle }: Pick<PasswordCheckParts, 'loginThrottle'>,
  { name, account, auditActor, budgets }: PasswordClaim,
  prove: () => Promise<boolean>,
): Promise<boolean> => {
  const { address, at: now } = auditActor
  const attempt = { address: address ?? '', name, accountId: account?.id, now }
  const verify = async () => {
    if ((await prove()) && account?.deleted_at === null) return true
    // The name is not recorded: an unknown one may be a password typed into the wrong field.
    const failure = { action: 'sign_in_failed', subjectId: account?.id ?? null } as const
    await recordAuditEvent(db, auditActor, failure)
    return false
  }
  return loginThrottle.check(attempt, verify, budgets)
}

/** True for the password of an account that is not removed; known and unknown names take as long. */
export const verifyPassword = (
  db: Db,
  parts: PasswordCheckParts,
  claim: PasswordClaim,
  password: string,
): Promise<boolean> =>
  verifyProof(db, parts, claim, () => {
    const site = siteOf(networkOf(claim.auditActor.address ?? ''))
    return parts.passwords.matches(password, claim.account?.password_hash ?? null, site)
  })
