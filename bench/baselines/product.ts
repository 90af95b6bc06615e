// The minimal program that sends these bytes: bare node:http and a table of finished responses.
// Environment: PORT, RESPONSES (a file of what was captured).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** A response to send again; headers are names and values in turn. */
export interface CapturedResponse {
  readonly path: string
  readonly etag: string
  readonly headers: string[]
  /** Those of a 304. */
  readonly headersUnchanged: string[]
  readonly body: string
}

const captured: readonly CapturedResponse[] = JSON.parse(
  readFileSync(process.env['RESPONSES'] ?? '', 'utf8'),
)
const byPath = new Map(captured.map((response) => [response.path, response]))

const server = createServer((request, response) => {
  const found = byPath.get(request.url ?? '')
  if (found && request.headers['if-none-match'] === found.etag) {
    response.writeHead(304, found.headersUnchanged).end()
  } else if (found) response.writeHead(200, found.headers).end(found.body)
  else response.writeHead(request.url === '/health/ready' ? 200 : 404).end()
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
