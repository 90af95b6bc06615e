import type { BrokerCredentials } from '#values/event-sink.ts'

const maxLength = 300

/** Returns what the client of a broker says of a failure, without credentials. */
export function describeFailure(
  error: unknown,
  credentials: BrokerCredentials | undefined,
): string {
  const { username = '', password } = credentials ?? {}
  const secret = password ?? username
  const text = messagesOf(error).join(': ')
  return (secret === '' ? text : text.replaceAll(secret, '***')).slice(0, maxLength)
}

/** The messages of an error and of the first of those that it stands for. */
function messagesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)]
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return [error.message || error.name, ...(inner === undefined ? [] : messagesOf(inner))]
}
