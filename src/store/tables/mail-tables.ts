import type { Generated } from 'kysely'

/** What a mail is about. */
export type MailKind =
  | 'order_confirmation'
  | 'order_shipped'
  | 'order_refunded'
  | 'password_reset'
  | 'email_confirmation'
  | 'email_changed'

/**
 * The columns of `mails`: a mail to send, or one that was sent. Unless `recipient` is set, the address is read
 * when the mail is written.
 */
export interface MailTable {
  id: Generated<number>
  /** Unique; the ID of the event that causes the mail, else a random one. The Message-ID contains it. */
  mail_key: string
  kind: MailKind
  /** The user who gets the mail; null for an order whose buyer has been erased. */
  user_id: number | null
  order_id: number | null
  /** The hash of the token in the link. */
  token_hash: string | null
  /** The former address of the account, while a mail about its change is pending; else null. */
  recipient: string | null
  /** The amount that was returned. */
  amount_minor: number | null
  status: Generated<'pending' | 'sent' | 'failed' | 'cancelled'>
  attempts: Generated<number>
  /** When the next attempt is due; while one is in progress, when another process may repeat it. */
  next_attempt_at: number
  /** Why the last attempt failed. */
  error: string | null
  sent_at: number | null
  created_at: number
}

/** The columns of `mail_requests`: a mail that somebody asked for, until the job looks at it. */
export interface MailRequestTable {
  id: Generated<number>
  kind: 'password_reset' | 'email_confirmation'
  /** The address that was typed in, of an unknown person; null if `user_id` is known. */
  email: string | null
  user_id: number | null
  created_at: number
}

/** What the holder of a token may do: set a new password, or confirm the address. */
export type AccountTokenPurpose = 'password_reset' | 'email_confirmation'

/**
 * The columns of `account_tokens`: a token that was mailed to `email_key`. Only its hash is stored; the
 * server makes the token of `salt` and the secret key.
 */
export interface AccountTokenTable {
  token_hash: string
  salt: string
  purpose: AccountTokenPurpose
  user_id: number
  email_key: string
  expires_at: number
  created_at: number
}

/** The tables of mails. */
export interface MailTables {
  mails: MailTable
  mail_requests: MailRequestTable
  account_tokens: AccountTokenTable
}
