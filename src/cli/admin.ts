import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { english } from '#i18n/en.ts'
import { formatMessage } from '#i18n/message.ts'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { createPasswordHasher } from '#shop/accounts/passwords/hash.ts'
import { usernamePattern } from '#shop/accounts/users/schema.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { textOfLength } from '#src/config/setting.ts'
import {
  findUserByLoginName,
  type SetAdministrator,
  setAdministrator,
} from '#src/server/first-start/administrator.ts'
import { requireStrongPassword } from '#src/server/first-start/password-rule.ts'
import { exitWithStartError, StartError, UsageError } from '#src/server/start-error.ts'
import { openMigratedDatabase } from '#src/server/startup/database.ts'
import { loadSecretKeys } from '#src/server/startup/secret-key.ts'
import type { Store } from '#store/database.ts'
import { Problem } from '#values/problem.ts'
import { readArguments } from './arguments.ts'

const command = {
  usage: 'npm run admin -- NAME [--promote] [--password-stdin]',
  description: `Gives the administrator with this username or e-mail address a new password, or creates one. The
password is generated, or read from standard input. An account named by its username loses its e-mail address.
--promote also makes a customer of this name an administrator.`,
  options: { 'password-stdin': { type: 'boolean' }, promote: { type: 'boolean' } },
  allowPositionals: true,
} as const

interface AdminRequest {
  readonly username: string
  /** Undefined when a password is to be generated. */
  readonly password: string | undefined
  readonly promotes: boolean
}

async function readRequest(): Promise<AdminRequest> {
  const { values, positionals } = readArguments(command)
  const [username, ...others] = positionals
  if (username === undefined || others.length > 0) throw new UsageError(`usage: ${command.usage}`)
  if (username.length > 320 || !new RegExp(usernamePattern, 'u').test(username)) {
    throw new UsageError('NAME must be 1 to 320 characters, without colons and control characters')
  }
  const password = values['password-stdin'] ? await readPassword() : undefined
  return { username, password, promotes: values.promote === true }
}

async function readPassword(): Promise<string> {
  const { expected, parse } = textOfLength(8, 256)
  const password = parse((await text(process.stdin)).replace(/\r?\n$/, ''))
  if (password === undefined) throw new StartError(`The password must be ${expected}`)
  return password
}

async function setPassword(
  store: Store,
  config: Config,
  { username, password, promotes }: AdminRequest,
) {
  const passwords = createPasswordHasher()
  if (password !== undefined) {
    const user = await findUserByLoginName(store.db, username)
    const names = [
      config.shopName,
      username,
      user?.name ?? null,
      user?.username ?? null,
      user?.email ?? null,
    ]
    await requireStrongPassword(passwords, 'The password', password, names)
  }
  const { make } = createDigestSecrets(await loadSecretKeys(config), config.digest)
  const credentials = { username, password: password ?? randomBytes(16).toString('base64url') }
  const hashing = { hash: passwords.hash, make }
  const result = await setAdministrator(store, hashing, { ...credentials, promotes }, Date.now())
  console.log(describeResult(username, result))
  // The password is shown only here.
  console.log(`password: ${password === undefined ? credentials.password : 'as entered'}`)
}

function describeResult(username: string, { isNew, hasLostAddress }: SetAdministrator): string {
  if (isNew) return `Administrator created: ${username}`
  const ended = `${username} is an administrator with a new password; all sessions, keys, grants, acting clients and webhooks of this user ended`
  return hasLostAddress
    ? `${ended}\nThe e-mail address of the account was removed: set it again, and confirm it`
    : ended
}

try {
  const request = await readRequest()
  loadEnvironment()
  const config = readConfig(process.env)
  const store = await openMigratedDatabase(config.database)
  try {
    await setPassword(store, config, request)
  } finally {
    await store.close()
  }
} catch (error) {
  const isProblem = error instanceof Problem
  exitWithStartError(isProblem ? new StartError(formatMessage(error.detail, english)) : error)
}
