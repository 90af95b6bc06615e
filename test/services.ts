import { connect } from 'node:net'
import postgres from 'postgres'

/** One database server the tests can use, and what a stranger does to provide it. */
export interface Service {
  readonly name: string
  readonly variable: string
  readonly usualUrl: string
  readonly answers: (url: string) => Promise<boolean>
}

/** What was looked for: `url` is absent when the service did not answer. */
export interface FoundService extends Service {
  readonly url: string | undefined
}

const patienceMs = 3000

/** The services the tests use when they answer. */
export const services: readonly Service[] = [
  {
    name: 'PostgreSQL',
    variable: 'TEST_DATABASE_URL',
    usualUrl: 'postgres://postgres@127.0.0.1:5432/postgres',
    answers: postgresAnswers,
  },
  {
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    usualUrl: 'redis://127.0.0.1:6379',
    answers: redisAnswers,
  },
]

/** Looks where the environment says, else in the usual place; throws when a named one is silent. */
export async function findService(
  service: Service,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundService> {
  const named = environment[service.variable]
  const url = named || service.usualUrl
  const answered = await service.answers(url)
  if (named && !answered)
    throw new Error(`${service.variable} is set, but no ${service.name} answers there`)
  return { ...service, url: answered ? url : undefined }
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
