import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { createEmptyDatabase, type StoreKind } from './databases.ts'
import { repeatWhileOverloaded } from './overload.ts'
import { inheritedEnvironment, type ServerProcess, start } from './server-process.ts'

/** The administrator that the first start of a deployment creates. */
export const shopAdmin = { username: 'admin', password: 'the administrator of tests' }

/** Sends requests over its own keep-alive connections; a request rejects if one breaks. */
export interface Caller {
  readonly request: TestRequest
  readonly close: () => void
}

/** A charge as the provider has stored it. */
interface StoredCharge {
  readonly key: string
  readonly status: string
  readonly amount_minor: number
  readonly refunds?: readonly { readonly key?: string; readonly amount_minor: number }[]
}

/** A payment provider in its own process, which outlives the servers. */
interface Provider {
  readonly url: string
  readonly charges: () => Promise<readonly StoredCharge[]>
  readonly stop: () => Promise<void>
}

/** What differs between the hosts of a deployment. */
interface OwnHost {
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
}

/** A database, a payment provider, and the servers that use them. */
export interface Deployment {
  /** The URL with which this process opens the same database. */
  readonly databaseUrl: string
  readonly charges: Provider['charges']
  /** The URL of the payment provider. */
  readonly providerUrl: string
  /** Starts a server on this port, or on a free one; on a host of its own with a folder and settings of that. */
  readonly start: (port?: number, host?: OwnHost) => ServerProcess
  readonly dispose: () => Promise<void>
}

const secret = 'what a sandbox of tests signs with'
const paymentTimeoutMs = 150

/** Creates a caller of the server at `url`, with a bearer token if given. */
export function createCaller(url: string, token?: string): Caller {
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
      const [response] = await once(sent, 'response')
      return readResponse(response as IncomingMessage)
    },
    close: () => agent.destroy(),
  }
}

async function readResponse(response: IncomingMessage): Promise<TestResponse> {
  const { statusCode: status = 0, headers } = response
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const isJson = text !== '' && /json/.test(String(headers['content-type']))
  const plain = headers as Record<string, string>
  return { status, headers: plain, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Signs in, once the server is not overloaded any more, and returns the access token; throws if that fails. */
export async function signIn(
  request: TestRequest,
  credentials: { readonly username: string; readonly password: string },
): Promise<string> {
  const { status, json, text } = await repeatWhileOverloaded(request)('POST', '/login', credentials)
  if (status !== 200) throw new Error(`Signing in failed: ${text}`)
  return json.token
}

/** Options of a deployment. */
export interface DeploymentOptions {
  /** An existing database; a new empty one by default. */
  readonly databaseUrl?: string
  /** Settings of the servers, over the defaults. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Creates an empty database of this kind and starts a payment provider. */
export async function openDeployment(
  kind: StoreKind,
  { databaseUrl, settings = {} }: DeploymentOptions = {},
): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-shop-'))
  const database =
    databaseUrl === undefined
      ? await createEmptyDatabase(kind)
      : { url: databaseUrl, remove: async () => undefined }
  const provider = await startProvider(join(folder, 'charges.jsonl'))
  const servers: ServerProcess[] = []
  return {
    databaseUrl: database.url,
    charges: provider.charges,
    providerUrl: provider.url,
    start: (port = 0, host) => {
      const server = start(host?.folder ?? folder, {
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
        ...host?.settings,
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
  const entry = fileURLToPath(import.meta.resolve('#src/cli/sandbox.ts'))
  const env = {
    ...inheritedEnvironment,
    SANDBOX_PORT: '0',
    SANDBOX_SECRET: secret,
    SANDBOX_FILE: file,
  }
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const ended = once(child, 'close').then(() => running.delete(child))
  const url = await listeningUrl(child)
  return {
    url,
    charges: async () => {
      const response = await fetch(`${url}/charges`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      return ((await response.json()) as { charges: readonly StoredCharge[] }).charges
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function listeningUrl({ stdout }: ChildProcess): Promise<string> {
  const listening = Promise.withResolvers<string>()
  let output = ''
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const [, url] = /listens at (\S+)\n/.exec(output) ?? []
    if (url !== undefined) listening.resolve(url)
  })
  stdout?.on('end', () => listening.reject(new Error(`the payment provider ended:\n${output}`)))
  return listening.promise
}
