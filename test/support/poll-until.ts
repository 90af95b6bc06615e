import { setTimeout as sleep } from 'node:timers/promises'

const timeoutMs = 60_000
const pollIntervalMs = 20

/** Polls for up to a minute until the result satisfies the condition; throws otherwise. */
export async function pollUntil<T>(read: () => Promise<T>, isDone: (found: T) => boolean) {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await read()
    if (isDone(found)) return found
    if (performance.now() > deadline) break
    await sleep(pollIntervalMs)
  }
  throw new Error(`the condition did not hold within ${timeoutMs} ms`)
}
