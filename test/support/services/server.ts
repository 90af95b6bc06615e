import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { emptyDatabase, type StoreKind } from './databases.ts'
import { type Started, start } from './server-process.ts'

/** Who the first start of every shop makes its administrator. */
export const shopAdmin = { username: 'admin', password: 'the administrator of tests' }

/** Calls a server over keep-alive connections of its own; a request rejects where they break. */
export interface Caller {
  readonly request: TestRequest
  readonly close: () => void
}

/** What a provider has kept of one charge. */
export interface KeptCharge {
  readonly key: string
  readonly status: string
  readonly amount_minor: number
}

/** A payment provider in a process of its own, which outlives the servers that charge there. */
interface Provider {
  readonly url: string
  readonly charges: () => Promise<readonly KeptCharge[]>
  readonly stop: () => Promise<void>
}

/** An empty database and a payment provider, and the servers started on them. */
export interface Deployment {
  /** By which this process may open the same database. */
  readonly databaseUrl: string
  readonly charges: Provider['charges']
  /** Starts a server on a free port, or on this one. */
  readonly start: (port?: number) => Started
  readonly dispose: () => Promise<void>
}

const secret = 'what a sandbox of tests signs with'
const paymentTimeoutMs = 150

/** Calls the server at `url`, as whom the token says. */
export function callerOf(url: string, token?: string): Caller {
  const agent = new Agent({ keepAlive: true })
  const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    request: async (method, path, body, headers) => {
      const content = body === undefined ? undefined : JSON.stringify(body)
      const sent = request(new URL(path, url), {
        agent,
        method,
        headers: {
          ...credentials,
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      sent.end(content)
      const [answer] = await once(sent, 'response')
      return readAnswer(answer as IncomingMessage)
    },
    close: () => agent.destroy(),
  }
}

async function readAnswer(answer: IncomingMessage): Promise<TestResponse> {
  const { statusCode: status = 0, headers } = answer
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const isJson = text !== '' && /json/.test(String(headers['content-type']))
  const plain = headers as Record<string, string>
  return { status, headers: plain, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Signs in and answers with the access token; throws where that is refused. */
export async function signIn(
  request: TestRequest,
  credentials: { readonly username: string; readonly password: string },
): Promise<string> {
  const { status, json, text } = await request('POST', '/login', credentials)
  if (status !== 200) throw new Error(`Signing in failed: ${text}`)
  return json.token
}

/** What premises may have otherwise. */
export interface DeploymentOptions {
  /** Where the data is, if not in an empty database of their own. */
  readonly databaseUrl?: string
  /** Settings of the servers, beside the usual ones or instead of them. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Makes an empty database of this kind, and starts a payment provider beside it. */
export async function openDeployment(
  kind: StoreKind,
  { databaseUrl, settings = {} }: DeploymentOptions = {},
): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-shop-'))
  const database =
    databaseUrl === undefined
      ? await emptyDatabase(kind)
      : { url: databaseUrl, remove: async () => undefined }
  const provider = await startProvider(join(folder, 'charges.jsonl'))
  const servers: Started[] = []
  return {
    databaseUrl: database.url,
    charges: provider.charges,
    start: (port = 0) => {
      const server = start(folder, {
        PORT: String(port),
        DATABASE_URL: database.url,
        SECRET_KEY: 'a secret key that only tests sign with',
        ADMIN_USERNAME: shopAdmin.username,
        ADMIN_PASSWORD: shopAdmin.password,
        DEMO_DATA: 'off',
        RATE_LIMIT: 'off',
        LOGIN_LIMIT: 'off',
        PAYMENT_PROVIDER_URL: provider.url,
        PAYMENT_PROVIDER_SECRET: secret,
        PAYMENT_TIMEOUT_MS: String(paymentTimeoutMs),
        ...settings,
      })
      servers.push(server)
      return server
    },
    dispose: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await provider.stop()
      await database.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function startProvider(file: string): Promise<Provider> {
  const entry = fileURLToPath(import.meta.resolve('#src/payments/sandbox/main.ts'))
  const env = { SANDBOX_PORT: '0', SANDBOX_SECRET: secret, SANDBOX_FILE: file }
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const ended = once(child, 'close').then(() => running.delete(child))
  const url = await placeOf(child)
  return {
    url,
    charges: async () => {
      const answer = await fetch(`${url}/charges`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      return ((await answer.json()) as { charges: readonly KeptCharge[] }).charges
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function placeOf({ stdout }: ChildProcess): Promise<string> {
  const place = Promise.withResolvers<string>()
  let said = ''
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
    const [, url] = /listens at (\S+)\n/.exec(said) ?? []
    if (url !== undefined) place.resolve(url)
  })
  stdout?.on('end', () => place.reject(new Error(`the payment provider ended:\n${said}`)))
  return place.promise
}

const minPort = 20_000
const portCount = 10_000

/**
 * A port that is free, and that no outgoing connection of this machine is given: whoever listens
 * there, ends and starts again finds it free once more.
 */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = minPort + Math.floor(Math.random() * portCount)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
