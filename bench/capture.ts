import { get } from 'node:http'

/** An answer as it went over the wire, without what `node:http` adds to each by itself. */
export interface CapturedAnswer {
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string
}

const addedByNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** The tag of a captured answer. */
export function tagOf({ headers }: CapturedAnswer): string {
  const at = headers.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === 'etag')
  return headers[at + 1] ?? ''
}

/** Asks for `path` as the load does and keeps headers and body; throws unless it is a 200. */
export function captureAnswer(
  port: number,
  path: string,
  accept = 'application/json',
): Promise<CapturedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<CapturedAnswer>()
  const request = get(
    { host: '127.0.0.1', port, path, agent: false, headers: { accept } },
    async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const body = Buffer.concat(chunks).toString()
      if (response.statusCode !== 200) {
        return reject(new Error(`GET ${path}: ${response.statusCode} ${body}`))
      }
      resolve({ path, headers: keptHeaders(response.rawHeaders), body })
    },
  )
  request.on('error', reject)
  return promise
}

function keptHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!addedByNode.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] ?? '')
  }
  return kept
}
