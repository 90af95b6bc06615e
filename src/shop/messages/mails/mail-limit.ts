import { hash } from 'node:crypto'
import type { Counters } from '#http/rate-limit/counters.ts'
import { accountKey } from '#values/account-key.ts'
import { hourMs, type Instant } from '#values/instant.ts'

/** The mails that anybody can have sent to one mailbox. */
const mailboxAllowance = { limit: 5, windowMs: hourMs }
/** The mails that one network can cause. */
const networkAllowance = { limit: 60, windowMs: hourMs }

/** A mail that anybody can cause: its address is not one that its owner has confirmed, or a reset was asked for. */
export interface CountedMail {
  readonly address: string
  /** The network that caused it; null if none did, or an administrator. */
  readonly network: string | null
  /** Mails of a mailbox that are counted by themselves, apart from the others. */
  readonly apart?: string | undefined
}

/** Counts a mail; false if it is one too many for the mailbox or the network. */
export type MailLimit = (mail: CountedMail, now: Instant) => Promise<boolean>

/** The mailbox of an address in the form in which addresses are compared: without what follows a `+`. */
const mailboxOf = (address: string): string => accountKey(address).replace(/\+[^@]*(?=@)/, '')

/** Creates the limit of mails that anybody can cause; without counters there is none. */
export const createMailLimit =
  (counters: Counters | undefined): MailLimit =>
  async ({ address, network, apart = '' }, now) => {
    if (counters === undefined) return true
    if (network !== null) {
      const key = `mails of ${network}`
      const { allowed } = await counters.spend(key, networkAllowance, 1, now)
      if (!allowed) return false
    }
    const key = `mails to ${apart} ${hash('sha256', mailboxOf(address), 'base64url')}`
    return (await counters.spend(key, mailboxAllowance, 1, now)).allowed
  }
