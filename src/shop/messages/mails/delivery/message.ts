/** A mail to one person. */
export interface MailMessage {
  /** The address alone, without a name. */
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The tag of the language (RFC 5646). */
  readonly language: string
}

/**
 * The result of an attempt to send a mail. `rejected`: the mail server will never take it. `failed`: it
 * may take it later. `error` names no person.
 */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'rejected' | 'failed'; readonly error: string }

/** Hands mails to a mail server, or writes them to a folder. */
export interface MailTransport {
  /**
   * Sends a mail whose Message-ID contains `key`; never rejects. A second attempt with the same key has
   * the same Message-ID. `signal` gives up the attempt.
   */
  readonly send: (key: string, message: MailMessage, signal?: AbortSignal) => Promise<SendResult>
}
