import type { CapturedResponse } from './baselines/product.ts'
import type { Server } from './server.ts'

const addedByNode = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']

/** Requests `path` as the load does, for a baseline to send it again; throws unless it is a 200. */
export async function capture(
  { port }: Server,
  path: string,
  accept = 'application/json',
): Promise<CapturedResponse> {
  const headers = { accept, 'accept-encoding': 'identity' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${body}`)
  const fields = [...response.headers].filter(([name]) => !addedByNode.includes(name))
  return {
    path,
    etag: response.headers.get('etag') ?? '',
    headers: [...fields.flat(), 'content-length', String(Buffer.byteLength(body))],
    headersUnchanged: fields.filter(([name]) => name !== 'content-type').flat(),
    body,
  }
}
