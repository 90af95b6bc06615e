import type { AuthenticatedExchange } from './exchange.ts'

/** The caller that was assumed is another one now; the request is run again. */
class OtherCallerError extends Error {
  override readonly name = 'OtherCallerError'
}

/**
 * Waits until an assumed caller is confirmed, for what is not undone with the transaction. Throws if it is
 * another one now.
 */
export async function requireConfirmed({
  confirmation,
}: Pick<AuthenticatedExchange, 'confirmation'>): Promise<void> {
  if (confirmation !== undefined && !(await confirmation)) throw new OtherCallerError()
}
