import { hash } from 'node:crypto'
import type { Counters } from '#http/rate-limit/counters.ts'
import { accountKey } from '#values/account-key.ts'
import { hourMs, type Instant } from '#values/instant.ts'

/** The mails of one allowance. */
const ownAllowance = { limit: 5, windowMs: hourMs }
/** The mails that one network can cause. */
const networkAllowance = { limit: 60, windowMs: hourMs }

/** A mail that anybody can cause: its address is not one that its owner has confirmed, or a reset was asked for. */
export interface CountedMail {
  /** The allowance that it is taken from, besides that of its network. */
  readonly allowance: string
  /** The network that caused it; null if none did, or an administrator. */
  readonly network: string | null
}

/** Counts a mail; false if it is one too many for its allowance or the network. */
export type MailLimit = (mail: CountedMail, now: Instant) => Promise<boolean>

const tag = /\+[^@]*(?=@)/

/**
 * The allowances of mails. Each is of that which no stranger can use up for others: resets go to the holder of
 * exactly this address, and a confirmation, which also has the link "I did not sign up", is sent for the one account
 * that has it. The accounts whose addresses differ in what follows a `+` share the confirmations of a mailbox.
 */
export const mailAllowances = {
  password_reset: (address: string): string => `resets to ${accountKey(address)}`,
  email_confirmation: (address: string): string => {
    const key = accountKey(address)
    return `confirmations to ${key.replace(tag, '+')}`
  },
  erasure_scheduled: (userId: number): string => `erasures of ${userId}`,
  /** Whatever else is sent to a mailbox. */
  other: (address: string): string => `mails to ${accountKey(address).replace(tag, '')}`,
} as const

/** Creates the limit of mails that anybody can cause; without counters there is none. */
export const createMailLimit =
  (counters: Counters | undefined): MailLimit =>
  async ({ allowance, network }, now) => {
    if (counters === undefined) return true
    if (network !== null) {
      const key = `mails of ${network}`
      const { allowed } = await counters.spend(key, networkAllowance, 1, now)
      if (!allowed) return false
    }
    const key = `mails ${hash('sha256', allowance, 'base64url')}`
    return (await counters.spend(key, ownAllowance, 1, now)).allowed
  }
