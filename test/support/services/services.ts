import { constants, globSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'

/** A server or a program that the tests can use, and what a stranger does to provide it. */
export interface Service {
  readonly name: string
  /** Says where it is; else it is looked for in the usual places, in this order. */
  readonly variable: string
  readonly defaultLocations: readonly string[]
  readonly answers: (place: string) => Promise<boolean>
  readonly remedy: string
}

/** What was looked for: `place` is absent when the service did not answer. */
export interface FoundService extends Service {
  readonly place: string | undefined
}

const patienceMs = 3000

/** The services the tests use when they are there. */
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
  program({ name: 'A C compiler', variable: 'TEST_CC', files: ['cc', 'gcc', 'clang'] }),
]

function server(
  wanted: Omit<Service, 'defaultLocations' | 'remedy'> & { readonly defaultUrl: string },
) {
  const { defaultUrl, ...rest } = wanted
  return { ...rest, defaultLocations: [defaultUrl], remedy: `start it at ${defaultUrl}` }
}

/** A program that the tests start themselves. */
function program(
  wanted: Pick<Service, 'name' | 'variable'> & { readonly files: readonly string[] },
) {
  const { files, ...rest } = wanted
  // Servers are installed where only an administrator's PATH leads.
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/local/sbin',
    '/usr/sbin',
  ].concat(
    // Debian keeps the programs of PostgreSQL apart, each version by itself.
    globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  )
  return {
    ...rest,
    defaultLocations: files.flatMap((file) => folders.map((folder) => join(folder, file))),
    answers: isExecutable,
    remedy: 'install it',
  }
}

/** Looks where the environment says, else in the usual places; throws when a named one is silent. */
export async function findService(
  service: Service,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundService> {
  const named = environment[service.variable]
  for (const place of named ? [named] : service.defaultLocations) {
    if (await service.answers(place)) return { ...service, place }
  }
  if (named) throw new Error(`${service.variable} is set, but no ${service.name} answers there`)
  return { ...service, place: undefined }
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
  const options = { max: 1, connect_timeout: patienceMs / 1000, onnotice: () => {} }
  try {
    const sql = postgres(url, options)
    await sql`select 1`.finally(() => sql.end({ timeout: 1 }))
    return true
  } catch {
    return false
  }
}

function redisAnswers(url: string): Promise<boolean> {
  const target = URL.parse(url)
  if (target === null) return Promise.resolve(false)
  const { hostname, port, username, password } = target
  const words = [username, password].filter(Boolean).map(decodeURIComponent)
  const greeting = password === '' ? '' : `AUTH ${words.join(' ')}\r\n`
  return new Promise((answer) => {
    const socket = connect({ host: hostname, port: Number(port || '6379') })
    const finish = (answered: boolean) => {
      socket.destroy()
      answer(answered)
    }
    let heard = ''
    socket.setTimeout(patienceMs, () => finish(false))
    socket.on('error', () => finish(false))
    socket.on('close', () => finish(false))
    socket.on('connect', () => socket.write(`${greeting}PING\r\n`))
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      if (heard.includes('+PONG')) finish(true)
      else if (heard.includes('-')) finish(false)
    })
  })
}
