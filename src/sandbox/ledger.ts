import { appendFileSync, closeSync, openSync, readFileSync, statSync } from 'node:fs'

/** A charge as it stands on the wire: `amount_minor` in minor units, `sequence` grows by one with each change. */
export interface Charge {
  readonly key: string
  readonly status: 'succeeded' | 'pending' | 'declined' | 'voided' | 'refunded'
  readonly reference: string
  readonly amount_minor: number
  readonly currency: string
  readonly sequence: number
  readonly reason?: string
}

/** A charge and what the sandbox has yet to do about it. */
export interface Entry {
  readonly charge: Charge
  readonly token: string
  readonly callbackUrl: string
  readonly callbackDue: boolean
}

/** Holds the last entry of every key. */
export interface Ledger {
  find(key: string): Entry | undefined
  entries(): Iterable<Entry>
  /** Keeps the entry in place of the key's last one; with a file it is written before this returns, or nothing changes and it throws. */
  save(entry: Entry): void
  close(): void
}

/** Opens a ledger in memory or, given a file, one that outlives the process (not a power cut); a file belongs to one process at a time. */
export function openLedger(file: string | undefined): Ledger {
  const entries = new Map<string, Entry>()
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile()) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const entry = parseEntry(line)
      if (entry !== undefined) entries.set(entry.charge.key, entry)
    }
  }
  const descriptor = file === undefined ? undefined : openSync(file, 'a', 0o600)
  let closed = false
  return {
    find: (key) => entries.get(key),
    entries: () => entries.values(),
    save(entry) {
      if (closed) throw new Error('the ledger is closed')
      // The newline comes first, so that a record cut short by a full disk cannot spoil the next.
      if (descriptor !== undefined) appendFileSync(descriptor, `\n${JSON.stringify(entry)}`)
      entries.set(entry.charge.key, entry)
    },
    close() {
      if (descriptor !== undefined && !closed) closeSync(descriptor)
      closed = true
    },
  }
}

function parseEntry(line: string): Entry | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Entry)
  } catch {
    return undefined
  }
}
