import { hash } from 'node:crypto'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import type { MailKind } from '#shop/messages/mails/table.ts'
import { hourMs, type Instant } from '#values/instant.ts'

/** The mails of one kind that anybody can have sent to one address, per process. */
const addressAllowance = { limit: 5, windowMs: hourMs }

/** Counts a mail to an address, in the form in which addresses are compared; false if it is one too many. */
export type AddressLimit = (kind: MailKind, address: string, now: Instant) => boolean

/** Creates the limit of mails that anybody can cause. */
export function createAddressLimit(): AddressLimit {
  const counters = memoryCounters(fixedWindow)
  return (kind, address, now) => {
    const key = `${kind} ${hash('sha256', address, 'base64url')}`
    return counters.spend(key, addressAllowance, 1, now).allowed
  }
}
