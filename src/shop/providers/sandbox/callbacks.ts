import { createCallbackSender } from './delivery.ts'
import { eventsOf, settleCharge } from './ledger/charges.ts'
import type { Ledger } from './ledger/ledger.ts'
import { warn } from './warn.ts'

/**
 * Pending charges settle after `settleMs`. A rejected callback is sent `attempts` times in all, the
 * first retry after `retryMs`, then doubling.
 */
interface CallbackOptions {
  readonly secret: string
  readonly now: () => number
  readonly settleMs: number
  readonly retryMs: number
  readonly attempts: number
}

/** Settles pending charges and sends callbacks. */
export interface Callbacks {
  /** Schedules the settlement or callback that is due for a key; never throws. */
  schedule(key: string): void
  /** Runs an action after `settleMs` unless closed before. */
  delay(action: () => void): void
  close(): void
}

/**
 * Starts callbacks. Timers do not keep the process alive; unfinished callbacks stay due in the
 * ledger.
 */
export function startCallbacks(ledger: Ledger, options: CallbackOptions): Callbacks {
  const timers = createTimers()
  const delivery = createCallbackSender(options)
  let closed = false

  function schedule(key: string): void {
    const entry = ledger.find(key)
    if (entry?.callbackDue !== true) return
    if (entry.charge.status !== 'pending') void deliver(key, 1).catch(warn)
    else timers.start(options.settleMs, () => settle(key))
  }

  function settle(key: string): void {
    try {
      settleCharge(ledger, key)
    } finally {
      // If writing failed, the charge is still pending and is retried.
      schedule(key)
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
      timers.start(waitMs, () => void deliver(key, attempt + 1).catch(warn))
    }
  }

  return {
    schedule,
    delay: (action) => timers.start(options.settleMs, action),
    close() {
      closed = true
      timers.clear()
      delivery.close()
    },
  }
}

/** Timers that do not keep the process alive and can be cleared together. */
function createTimers() {
  const pending = new Set<NodeJS.Timeout>()
  return {
    start(ms: number, action: () => void): void {
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
