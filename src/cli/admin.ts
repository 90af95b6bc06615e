import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { openDigestSecrets } from '#auth/digest/secrets.ts'
import { openPasswords } from '#auth/passwords/hash.ts'
import type { Store } from '#db/database.ts'
import { english } from '#i18n/en.ts'
import { formatMessage } from '#i18n/message.ts'
import { usernamePattern } from '#resources/users/schema.ts'
import { type Config, loadEnvironmentFile, readConfig } from '#src/config/config.ts'
import { textOfLength } from '#src/config/setting.ts'
import { findUserByLoginName, setAdministrator } from '#src/server/first-start/administrator.ts'
import { requireStrongPassword } from '#src/server/first-start/password-rule.ts'
import { openDatabase } from '#src/server/open/database.ts'
import { loadSecretKeys } from '#src/server/open/secret-key.ts'
import { exitWithStartError, StartError } from '#src/server/start-error.ts'
import { Problem } from '#values/problem.ts'

const usage = 'usage: npm run admin -- NAME [--password-stdin]'

interface AdminRequest {
  readonly username: string
  /** Undefined when a password is to be generated. */
  readonly password: string | undefined
}

async function readRequest(args: readonly string[]): Promise<AdminRequest> {
  const options = { 'password-stdin': { type: 'boolean' as const } }
  const { values, positionals } = parseOrThrow(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  )
  const [username, ...others] = positionals
  if (username === undefined || others.length > 0) throw new StartError(usage)
  if (username.length > 320 || !new RegExp(usernamePattern, 'u').test(username)) {
    throw new StartError('NAME must be 1 to 320 characters, without colons and control characters')
  }
  return { username, password: values['password-stdin'] ? await readPassword() : undefined }
}

function parseOrThrow<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new StartError(`${(error as Error).message.split(/[.;\n]/)[0]}; ${usage}`)
  }
}

async function readPassword(): Promise<string> {
  const { expected, parse } = textOfLength(8, 256)
  const password = parse((await text(process.stdin)).replace(/\r?\n$/, ''))
  if (password === undefined) throw new StartError(`The password must be ${expected}`)
  return password
}

/** Opens an existing database. Throws a StartError when it is missing or not migrated. */
async function openMigrated({ database }: Config): Promise<Store> {
  if (database.kind === 'sqlite' && !existsSync(database.file ?? '')) {
    throw new StartError('DATABASE_URL: the database does not exist; start the server first')
  }
  const store = await openDatabase(database)
  if ((await store.pending()) === 0) return store
  await store.close()
  throw new StartError('DATABASE_URL: the database is not up to date; run `npm run migrate` first')
}

async function setPassword(store: Store, config: Config, { username, password }: AdminRequest) {
  const passwords = openPasswords()
  if (password !== undefined) {
    const user = await findUserByLoginName(store.db, username)
    const names = [username, user?.name ?? null, user?.username ?? null, user?.email ?? null]
    await requireStrongPassword(passwords, 'The password', password, names)
  }
  const { make } = openDigestSecrets(await loadSecretKeys(config), config.digest)
  const credentials = { username, password: password ?? randomBytes(16).toString('base64url') }
  const hashing = { hash: passwords.hash, make }
  const isNew = await setAdministrator(store, hashing, credentials, Date.now())
  console.log(
    isNew
      ? `Administrator created: ${username}`
      : `${username} is an administrator with a new password; all sessions and tokens of this user ended`,
  )
  // The password is shown only here.
  console.log(`password: ${password === undefined ? credentials.password : 'as entered'}`)
}

try {
  loadEnvironmentFile()
  const request = await readRequest(process.argv.slice(2))
  const config = readConfig(process.env)
  const store = await openMigrated(config)
  try {
    await setPassword(store, config, request)
  } finally {
    await store.close()
  }
} catch (error) {
  const isProblem = error instanceof Problem
  exitWithStartError(isProblem ? new StartError(formatMessage(error.detail, english)) : error)
}
