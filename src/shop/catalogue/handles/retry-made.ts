import { StaleWriteError } from '#store/stale-write.ts'
import { Problem } from '#values/problem.ts'
import { needsHandle } from './store.ts'

/**
 * Waits for a write of products. Throws a StaleWriteError where another transaction has taken a handle that was
 * made for them meanwhile: the next attempt makes another one.
 */
export async function retryMade<T>(
  given: readonly Parameters<typeof needsHandle>[0][],
  write: Promise<T>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    const isOfHandle = error instanceof Problem && error.detail.key === 'product.duplicate_handle'
    if (isOfHandle && given.every(needsHandle)) {
      throw new StaleWriteError('A handle that was made has been taken meanwhile')
    }
    throw error
  }
}
