import { isBusy } from '#store/errors.ts'

/**
 * Runs `work` again while it fails because another process holds the file lock. Rejects with any
 * other error.
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
