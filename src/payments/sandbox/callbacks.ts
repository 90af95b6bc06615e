import { openDelivery } from './delivery.ts'
import { eventsOf, settleCharge } from './ledger/charges.ts'
import type { Ledger } from './ledger/ledger.ts'
import { warn } from './warn.ts'

/** How callbacks are paced: a pending charge settles after `settleMs`; a refused callback is sent again after `retryMs`, doubling, `attempts` times in all. */
interface CallbackOptions {
  readonly secret: string
  readonly now: () => number
  readonly settleMs: number
  readonly retryMs: number
  readonly attempts: number
}

/** Settles pending charges and tells their callers. */
export interface Callbacks {
  /** Does what is still due for a key, now or after a while; never throws. */
  follow(key: string): void
  /** Runs an action after `settleMs`, unless closed before. */
  delay(action: () => void): void
  close(): void
}

/** Starts callbacks; waiting for one does not keep the process alive, and what is undone at close stays due in the ledger. */
export function startCallbacks(ledger: Ledger, options: CallbackOptions): Callbacks {
  const timers = openTimers()
  const delivery = openDelivery(options)
  let closed = false

  function follow(key: string): void {
    const entry = ledger.find(key)
    if (entry?.callbackDue !== true) return
    if (entry.charge.status !== 'pending') void deliver(key, 1).catch(warn)
    else timers.later(options.settleMs, () => settle(key))
  }

  function settle(key: string): void {
    try {
      settleCharge(ledger, key)
    } finally {
      // A charge that could not be written is still pending, and is tried again.
      follow(key)
    }
  }

  async function deliver(key: string, attempt: number): Promise<void> {
    const entry = ledger.find(key)
    if (entry?.callbackDue !== true) return
    let accepted = true
    for (const event of eventsOf(entry)) {
      accepted = (await delivery.post(entry.callbackUrl, JSON.stringify(event))) && accepted
      if (closed) return
    }
    if (accepted || attempt >= options.attempts) {
      ledger.save({ ...(ledger.find(key) ?? entry), callbackDue: false })
    } else {
      const waitMs = options.retryMs * 2 ** (attempt - 1)
      timers.later(waitMs, () => void deliver(key, attempt + 1).catch(warn))
    }
  }

  return {
    follow,
    delay: (action) => timers.later(options.settleMs, action),
    close() {
      closed = true
      timers.clear()
      delivery.close()
    },
  }
}

/** Timers that do not keep the process alive and end all at once. */
function openTimers() {
  const pending = new Set<NodeJS.Timeout>()
  return {
    later(ms: number, action: () => void): void {
      const timer = setTimeout(() => {
        pending.delete(timer)
        try {
          action()
        } catch (error) {
          warn(error)
        }
      }, ms).unref()
      pending.add(timer)
    },
    clear(): void {
      for (const timer of pending) clearTimeout(timer)
    },
  }
}
