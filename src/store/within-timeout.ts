/** Resolves as `answer` does; rejects once that takes longer than this time, in milliseconds. */
export async function withinTimeout<T>(
  answer: Promise<T>,
  timeoutMs: number,
  who = 'the database',
): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => timeout.reject(new Error(`${who} did not answer in time`)),
    timeoutMs,
  )
  try {
    return await Promise.race([answer, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
