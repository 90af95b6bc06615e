// The least that can answer with these bytes: bare node:http and a table of finished answers.
// Environment: PORT, ANSWERS (a file with the captured answers).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { CapturedAnswer } from '../capture.ts'

const captured = JSON.parse(readFileSync(process.env['ANSWERS'] ?? '', 'utf8')) as CapturedAnswer[]
const answers = new Map(captured.map((answer) => [answer.path, finish(answer)]))

function finish({ headers, body }: CapturedAnswer): { headers: string[]; body: string } {
  const sized = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-length')
  const length = sized ? [] : ['content-length', String(Buffer.byteLength(body))]
  return { headers: [...headers, ...length], body }
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (answer) response.writeHead(200, answer.headers).end(answer.body)
  else response.writeHead(request.url === '/health/ready' ? 200 : 404).end()
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
