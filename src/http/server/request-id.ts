import { randomUUID } from 'node:crypto'

/** The client's own request identifier where it is sane, else a new one. */
export function requestId(request: {
  headers: Record<string, string | string[] | undefined>
}): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:@/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
}
