// The least that can answer with these bytes: bare node:http and a table of finished answers.
// Environment: PORT, ANSWERS (a file with the captured answers).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type CapturedAnswer, tagOf } from '../capture.ts'

const ofTheBody = new Set(['content-type', 'content-length'])
const captured = JSON.parse(readFileSync(process.env['ANSWERS'] ?? '', 'utf8')) as CapturedAnswer[]
const answers = new Map(captured.map((answer) => [answer.path, finish(answer)]))

function finish(answer: CapturedAnswer) {
  const { headers, body } = answer
  const names = headers.map((name, at) => (at % 2 === 0 ? name.toLowerCase() : ''))
  const sized = names.includes('content-length')
  const length = sized ? [] : ['content-length', String(Buffer.byteLength(body))]
  const unchanged = headers.filter((_, at) => !ofTheBody.has(names[at - (at % 2)] ?? ''))
  return { headers: [...headers, ...length], unchanged, body, etag: tagOf(answer) }
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (answer && request.headers['if-none-match'] === answer.etag) {
    response.writeHead(304, answer.unchanged).end()
  } else if (answer) response.writeHead(200, answer.headers).end(answer.body)
  else response.writeHead(request.url === '/health/ready' ? 200 : 404).end()
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
