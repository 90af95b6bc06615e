import { randomUUID } from 'node:crypto'

/** Returns the X-Request-Id of the client if it has 1–128 safe characters, else a new UUID. */
export function requestId(request: {
  headers: Record<string, string | string[] | undefined>
}): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:@/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
}
