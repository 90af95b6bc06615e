import { ApiError } from './errors.ts'

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly body: object
  readonly isReplayed?: boolean
}

interface Entry {
  readonly request: string
  answer?: Answer
}

/**
 * Idempotency keys as Stripe documents them: an answer is kept once the endpoint has begun, errors of
 * the server included; another request with the key is rejected, also while it is used.
 */
export interface IdempotencyKeys {
  run(key: string | undefined, request: string, work: () => Promise<Answer>): Promise<Answer>
  /** Forgets all answers, as Stripe does after a day. */
  prune(): void
}

/** Returns an empty set of keys. */
export function createIdempotencyKeys(): IdempotencyKeys {
  const entries = new Map<string, Entry>()
  const isStored = (error: unknown) => !(error instanceof ApiError) || error.isStored
  return {
    prune: () => entries.clear(),
    run: async (key, request, work) => {
      if (key === undefined) return work()
      if (key.length > 255) throw invalidKey(400, 'Idempotency keys have at most 255 characters.')
      const known = entries.get(key)
      if (known && known.request !== request) {
        throw invalidKey(
          400,
          'Keys for idempotent requests can only be used with the same parameters',
        )
      }
      if (known?.answer) return { ...known.answer, isReplayed: true }
      if (known) throw invalidKey(409, 'The key is used by another request at this moment.')
      const entry: Entry = { request }
      entries.set(key, entry)
      try {
        const answer = await work()
        entry.answer = answer
        return answer
      } catch (error) {
        if (!isStored(error)) entries.delete(key)
        else if (error instanceof ApiError)
          entry.answer = { status: error.status, body: error.body }
        throw error
      }
    },
  }
}

const invalidKey = (status: number, message: string): ApiError =>
  new ApiError(status, {
    type: 'idempotency_error',
    ...(status === 409 && { code: 'idempotency_key_in_use' }),
    message,
  })
