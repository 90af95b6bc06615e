// Serves the shop front, and passes /api on to the shop. Tokens stay in an HttpOnly cookie: no script sees them.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

interface Tokens {
  readonly token: string
  readonly refresh_token: string
}

const root = join(import.meta.dirname, '../..')
const port = Number(process.env['STOREFRONT_PORT'] ?? 3001)
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  ts: 'text/javascript; charset=utf-8',
}
const securityHeaders = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const passedOn = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
]
const passedBack = ['content-language', 'content-type', 'etag', 'retry-after', 'x-request-id']

async function serveFile(path: string, response: ServerResponse): Promise<void> {
  const [, folder = '', name = ''] =
    /^\/(client\/)?([a-z-]+\.(?:html|css|svg|ts))$/.exec(path) ?? []
  const location = join(root, folder === '' ? 'examples/storefront/page' : 'client/src', name)
  const text = await readFile(location, 'utf8').catch(() => undefined)
  if (name === '' || text === undefined) {
    response.writeHead(404, securityHeaders).end()
    return
  }
  const type = types[name.split('.').at(-1) ?? '']
  response.writeHead(200, { ...securityHeaders, 'content-type': type, 'cache-control': 'no-cache' })
  // Browsers resolve only paths: the package is where this server has it.
  response.end(
    name.endsWith('.ts')
      ? stripTypeScriptTypes(text).replaceAll("'@cartwright/client'", "'/client/client.ts'")
      : text,
  )
}

function readTokens({ headers }: IncomingMessage): Tokens | undefined {
  const [, value] = /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '') ?? []
  return value === undefined ? undefined : JSON.parse(Buffer.from(value, 'base64url').toString())
}

function cookieOf(tokens: Tokens | undefined): string {
  const value = tokens ? Buffer.from(JSON.stringify(tokens)).toString('base64url') : ''
  const age = tokens ? 30 * 24 * 3600 : 0
  return `session=${value}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${age}`
}

const renewals = new Map<string, Promise<Tokens | undefined>>()

/** Renews tokens, once for all requests of a page that carry the same ones. */
function renew(shop: string, { refresh_token }: Tokens): Promise<Tokens | undefined> {
  const ask = async () => {
    const answer = await fetch(`${shop}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    })
    if (!answer.ok) return undefined
    const { token, refresh_token: next } = (await answer.json()) as Tokens
    return { token, refresh_token: next }
  }
  const renewal = renewals.get(refresh_token) ?? ask()
  renewals.set(refresh_token, renewal)
  setTimeout(() => renewals.delete(refresh_token), 60_000).unref()
  return renewal
}

async function passOn(shop: string, request: IncomingMessage, response: ServerResponse) {
  // SameSite lets through pages of other ports of this host; this does not.
  if ((request.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') {
    response.writeHead(403, securityHeaders).end()
    return
  }
  const path = (request.url ?? '').slice('/api'.length)
  const headers = new Headers()
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null
  const ask = (tokens: Tokens | undefined) => {
    if (tokens) headers.set('authorization', `Bearer ${tokens.token}`)
    else headers.delete('authorization')
    return fetch(shop + path, {
      method: request.method ?? 'GET',
      headers,
      body,
      redirect: 'manual',
    })
  }
  let tokens = path === '/login' ? undefined : readTokens(request)
  let answer = await ask(tokens)
  if (answer.status === 401 && tokens) {
    tokens = await renew(shop, tokens)
    answer = await ask(tokens)
    response.setHeader('set-cookie', cookieOf(tokens))
  }
  // Answers depend on the cookie, which caches do not know: an ETag says whether one is still valid.
  response.setHeader('cache-control', 'private, no-cache')
  for (const name of passedBack) {
    const value = answer.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  const signsIn = request.method === 'POST' && ['/login', '/guests'].includes(path) && answer.ok
  if (signsIn) {
    const { token, refresh_token, ...rest } = (await answer.json()) as Tokens
    response.setHeader('set-cookie', cookieOf({ token, refresh_token }))
    response.writeHead(answer.status, securityHeaders)
    response.end(JSON.stringify({ ...rest, token: '', refresh_token: '' }))
    return
  }
  if (request.method === 'DELETE' && path.startsWith('/sessions/') && answer.ok)
    response.setHeader('set-cookie', cookieOf(undefined))
  response.writeHead(answer.status, securityHeaders)
  if (answer.body) await pipeline(answer.body, response)
  else response.end()
}

/** Starts the shop beside this server, and resolves to its URL once it is ready. */
async function startShop(origin: string): Promise<string> {
  const url = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`
  const env = { ...process.env, CORS_ORIGINS: origin }
  const shop = spawn(process.execPath, [join(root, 'src/main.ts')], { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shop.kill(signal))
  shop.once('exit', (code) => process.exit(code ?? 1))
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200))
  return url
}

const shopUrl = Promise.withResolvers<string>()
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  try {
    if (pathname.startsWith('/api/')) await passOn(await shopUrl.promise, request, response)
    else await serveFile(pathname === '/' ? '/index.html' : pathname, response)
  } catch (error) {
    console.error(error)
    if (!response.headersSent) response.writeHead(502, securityHeaders)
    response.end()
  }
})
server.listen(port, '127.0.0.1', async () => {
  const address = server.address()
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : port}`
  shopUrl.resolve(process.env['SHOP_URL'] ?? (await startShop(origin)))
  await shopUrl.promise
  console.log(`The shop front is at ${origin}`)
})
