import { constants, globSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectToRabbit } from 'amqplib'
import postgres from 'postgres'

/** A server or program that tests use, and how to provide it. */
export interface Service {
  readonly name: string
  /** The environment variable with its location. */
  readonly variable: string
  /** Where it is looked for, in order, if the variable is unset and all services are wanted. */
  readonly defaultLocations: readonly string[]
  readonly answers: (location: string) => Promise<boolean>
  readonly remedy: string
}

/** A service and its location, which is undefined if it did not answer. */
export interface FoundService extends Service {
  readonly location: string | undefined
}

const timeoutMs = 10_000

/** The services that tests use when available. */
export const services: readonly Service[] = [
  server({
    name: 'PostgreSQL',
    variable: 'TEST_DATABASE_URL',
    defaultUrl: 'postgres://postgres@127.0.0.1:5432/postgres',
    answers: postgresAnswers,
  }),
  server({
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    defaultUrl: 'redis://127.0.0.1:6379',
    answers: redisAnswers,
  }),
  server({
    name: 'RabbitMQ',
    variable: 'TEST_RABBITMQ_URL',
    defaultUrl: 'amqp://guest:guest@127.0.0.1:5672',
    answers: rabbitAnswers,
  }),
  program({ name: 'nats-server', variable: 'TEST_NATS_SERVER', files: ['nats-server'] }),
  program({ name: 'kcat', variable: 'TEST_KCAT', files: ['kcat'] }),
  program({
    name: 'Chromium',
    variable: 'TEST_CHROMIUM',
    files: ['chromium', 'chromium-browser', 'google-chrome'],
  }),
  program({ name: 'nginx', variable: 'TEST_NGINX', files: ['nginx'] }),
  program({ name: 'Varnish', variable: 'TEST_VARNISH', files: ['varnishd'] }),
  program({
    name: 'postgres (the program)',
    variable: 'TEST_POSTGRES_SERVER',
    files: ['postgres'],
  }),
  program({ name: 'PgBouncer', variable: 'TEST_PGBOUNCER', files: ['pgbouncer'] }),
  program({
    name: 'systemd-analyze',
    variable: 'TEST_SYSTEMD_ANALYZE',
    files: ['systemd-analyze'],
  }),
  program({ name: 'promtool', variable: 'TEST_PROMTOOL', files: ['promtool'] }),
  program({ name: 'A C compiler', variable: 'TEST_CC', files: ['cc', 'gcc', 'clang'] }),
]

function server(
  options: Omit<Service, 'defaultLocations' | 'remedy'> & { readonly defaultUrl: string },
) {
  const { defaultUrl, ...rest } = options
  return { ...rest, defaultLocations: [defaultUrl], remedy: `start it at ${defaultUrl}` }
}

function program(
  options: Pick<Service, 'name' | 'variable'> & { readonly files: readonly string[] },
) {
  const { files, ...rest } = options
  // Servers are often installed outside the PATH of ordinary users.
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/local/sbin',
    '/usr/sbin',
  ].concat(
    // Debian installs each version of PostgreSQL in its own folder.
    globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  )
  return {
    ...rest,
    defaultLocations: files.flatMap((file) => folders.map((folder) => join(folder, file))),
    answers: isExecutable,
    remedy: 'install it',
  }
}

/** Whether tests use every service that this machine has, and not only those whose variable is set. */
export const wantsAllServices = (
  environment: Readonly<Record<string, string | undefined>>,
): boolean => environment['TEST_SERVICES'] === 'all' || environment['CI'] === 'true'

/** Finds a service; throws if its variable is set and the service does not answer there. */
export async function findService(
  service: Service,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundService> {
  const configured = environment[service.variable]
  const others = wantsAllServices(environment) ? service.defaultLocations : []
  for (const location of configured ? [configured] : others) {
    if (await service.answers(location)) return { ...service, location }
  }
  if (configured)
    throw new Error(`${service.variable} is set, but no ${service.name} answers there`)
  return { ...service, location: undefined }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function postgresAnswers(url: string): Promise<boolean> {
  const options = { max: 1, connect_timeout: timeoutMs / 1000, onnotice: () => {} }
  try {
    const sql = postgres(url, options)
    await sql`select 1`.finally(() => sql.end({ timeout: 1 }))
    return true
  } catch {
    return false
  }
}

async function rabbitAnswers(url: string): Promise<boolean> {
  try {
    const connection = await connectToRabbit(url, { timeout: timeoutMs })
    await connection.close()
    return true
  } catch {
    return false
  }
}

function redisAnswers(url: string): Promise<boolean> {
  const target = URL.parse(url)
  if (target === null) return Promise.resolve(false)
  const { hostname, port, username, password } = target
  const credentials = [username, password].filter(Boolean).map(decodeURIComponent)
  const greeting = password === '' ? '' : `AUTH ${credentials.join(' ')}\r\n`
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || '6379') })
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    let reply = ''
    socket.setTimeout(timeoutMs, () => finish(false))
    socket.on('error', () => finish(false))
    socket.on('close', () => finish(false))
    socket.on('connect', () => socket.write(`${greeting}PING\r\n`))
    socket.on('data', (bytes) => {
      reply += bytes.toString('latin1')
      if (reply.includes('+PONG')) finish(true)
      else if (reply.includes('-')) finish(false)
    })
  })
}
