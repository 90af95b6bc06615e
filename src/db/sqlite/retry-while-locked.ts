import { isBusy } from '#db/errors.ts'

/**
 * Runs work until no other process keeps the file locked meanwhile; rejects with any other error of
 * it.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }
}
