import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import type { Problem } from '#values/problem.ts'
import type { Actor, Scope } from './actor.ts'
import type { Context } from './context.ts'

/** The parts of a request that a mechanism may verify; a Fastify request is one. */
export interface CredentialRequest {
  /** The request ID in the log and the audit trail. */
  readonly id?: string
  readonly method: string
  /** The request target as sent, with version prefix and query. */
  readonly originalUrl: string
  /** The address of the client; trusted proxies are skipped. */
  readonly ip: string
  /** The protocol of the client, as a trusted proxy states it. */
  readonly protocol: 'http' | 'https'
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A credential as sent. */
export interface SentCredential {
  /** The scheme of Authorization in lower case (RFC 9110 11.1). */
  readonly scheme: string
  /** The text after the scheme, which may be empty. */
  readonly text: string
  readonly request: CredentialRequest
}

/** The caller that a credential proves. */
export interface AuthenticationResult {
  readonly actor: Actor
  /** The value of Authentication-Info (RFC 7615), sent with every status. */
  readonly info?: string
  /**
   * Where the caller is the one that this credential proved last: resolves to true if it still does, as it
   * was then. Until then nothing may be committed or sent.
   */
  readonly confirmation?: Promise<boolean>
}

/** A security scheme of OpenAPI 3.1. */
export interface SecurityScheme extends Readonly<Record<string, unknown>> {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect'
}

/** Identifies callers. Implemented in `shop/access`. */
export interface Authentication {
  /**
   * Returns the value of WWW-Authenticate: for 401 a challenge per enabled mechanism, for 403 what
   * the credential in `authorization` lacks. Undefined for other problems.
   */
  readonly challenge: (
    problem: Problem,
    now: Instant,
    authorization: string | undefined,
  ) => string | undefined
  /** The enabled mechanisms, by name. */
  readonly security?: Readonly<Record<string, SecurityScheme>>
  /**
   * Returns the caller; throws a Problem (4012, 4013, 4032) for an invalid credential. With `mayAssume`, may
   * return the caller that the credential proved last, with its confirmation.
   */
  readonly identify: (
    db: Db,
    sent: SentCredential,
    now: Instant,
    mayAssume?: boolean,
  ) => Promise<AuthenticationResult>
  /**
   * Identifies the caller of a response that is still being sent, by the credential that it began
   * with. Throws as `identify` does; a credential that may be used once is not used again.
   * `identify` by default.
   */
  readonly confirm?: (db: Db, sent: SentCredential, now: Instant) => Promise<AuthenticationResult>
  /**
   * True while the account of a caller, the password that the request proves, and the session, API key or
   * token are as they were when it was identified. With `locks`, locks the account before it is read, until
   * the transaction ends.
   */
  readonly isUnchanged?: (
    caller: Pick<Context, 'db' | 'actor' | 'provedHash' | 'now'>,
    options: { readonly locks: boolean },
  ) => Promise<boolean>
  /** The scopes of the writes that concern an account, or what acts for it; see `concernsAccount`. */
  readonly accountScopes?: ReadonlySet<Scope>
  /**
   * Verifies the caller's own password and returns the hash it matched, so that a later transaction
   * can check that the password has not changed. Throws 403/4031 for a wrong password and 429/4291
   * after too many failures.
   */
  readonly provePassword?: (
    ctx: Pick<Context, 'db' | 'actor' | 'auditActor'>,
    password: string,
  ) => Promise<string>
}
