import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pollUntil } from '#test/support/poll-until.ts'
import { createEmptyFolder, runCommand } from '#test/support/services/command.ts'
import { inheritedEnvironment } from '#test/support/services/server-process.ts'

const root = join(import.meta.dirname, '../..')

const commands: readonly (readonly [script: string, file: string])[] = [
  ['npm start', 'main.ts'],
  ...[
    'migrate',
    'seed',
    'admin',
    'backup',
    'restore',
    'rotate-keys',
    'cert',
    'generate',
    'sandbox',
  ].map((name) => [`npm run ${name}`, `cli/${name}.ts`] as const),
]

for (const [script, file] of commands) {
  test(`${script} rejects an unknown argument with 2 and its usage`, async (t) => {
    const folder = await createEmptyFolder(t)
    const unknown = await runCommand(folder, file, ['--chek'])
    assert.deepEqual([unknown.code, unknown.stdout], [2, ''])
    const [line = '', ...others] = unknown.stderr.split('\n')
    assert.ok(line.startsWith(`Unknown option '--chek'; usage: ${script}`), line)
    assert.deepEqual(others, [''])
    assert.deepEqual(await readdir(folder), [])
  })
}

test('--help prints the usage and what the command does', async (t) => {
  const folder = await createEmptyFolder(t)
  const help = await runCommand(folder, 'cli/sandbox.ts', ['--help'])
  assert.deepEqual([help.code, help.stderr], [0, ''])
  assert.match(help.stdout, /^usage: npm run sandbox.*\n[A-Z][\s\S]+\.\n$/)
})

test('npm run generate with an argument that is no option writes no file', async (t) => {
  const folder = await createEmptyFolder(t)
  const before = await readFile(join(root, '.env.example'), 'utf8')
  assert.equal((await runCommand(folder, 'cli/generate.ts', ['check'])).code, 2)
  assert.equal(await readFile(join(root, '.env.example'), 'utf8'), before)
})

for (const name of ['admin', 'rotate-keys']) {
  test(`npm run ${name} on a missing database leaves no file and says so in one line`, async (t) => {
    const folder = await createEmptyFolder(t)
    const result = await runCommand(folder, `cli/${name}.ts`, name === 'admin' ? ['boss'] : [])
    assert.deepEqual(result, {
      code: 1,
      stdout: '',
      stderr: 'DATABASE_URL: the database does not exist; start the server first\n',
    })
    assert.deepEqual(await readdir(folder), [])
  })
}

test('npm run rotate-keys runs on the database of a stopped server', async (t) => {
  const folder = await createEmptyFolder(t)
  assert.equal((await runCommand(folder, 'cli/migrate.ts', [])).code, 0)
  const { code, stdout, stderr } = await runCommand(folder, 'cli/rotate-keys.ts', [])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Secrets re-encrypted with SECRET_KEY: 0\.\n/)
})

const isReachable = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

test('SIGTERM to npm run sandbox stops the sandbox', async (t) => {
  const path = `${join(root, 'node_modules/.bin')}:${inheritedEnvironment.PATH}`
  const env = { ...inheritedEnvironment, PATH: path, SANDBOX_PORT: '0' }
  const child = spawn('npm', ['run', 'sandbox'], { cwd: root, env })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const settings = /PAYMENT_PROVIDER_URL=(\S+) PAYMENT_PROVIDER_SECRET=(\S+) npm start\n/
  const [, url = '', secret = ''] =
    (await pollUntil(
      async () => settings.exec(output),
      (found) => found !== null,
    )) ?? []
  assert.equal((await fetch(`${url}/charges`)).status, 401)
  const headers = { authorization: `Bearer ${secret}` }
  assert.equal((await fetch(`${url}/charges`, { headers })).status, 200)
  child.kill('SIGTERM')
  await once(child, 'exit')
  await pollUntil(
    () => isReachable(url),
    (reachable) => !reachable,
  )
})

test('npm run sandbox rejects wrong settings with one line each', async (t) => {
  const env = { SANDBOX_PORT: 'x', SANDBOX_SECRET: 'hidden' }
  const { code, stderr } = await runCommand(await createEmptyFolder(t), 'cli/sandbox.ts', [], env)
  assert.equal(code, 1)
  assert.match(stderr, /^SANDBOX_PORT must be .*, not "x"\nSANDBOX_SECRET must be [^\n]*\n$/)
  assert.doesNotMatch(stderr, /hidden/)
})

for (const [script, file] of commands.filter(([, name]) => !/cert|generate/.test(name))) {
  test(`${script} rejects names in .env that are no setting, with one line each`, async (t) => {
    const folder = await createEmptyFolder(t)
    await writeFile(join(folder, '.env'), 'RATE_LIMTI=5/1s\nFAVOURITE=hidden\nPORT=0\n')
    const args =
      {
        'cli/admin.ts': ['boss'],
        'cli/seed.ts': ['--users', '1'],
        'cli/backup.ts': ['copy'],
        'cli/restore.ts': ['copy'],
      }[file] ?? []
    const { code, stdout, stderr } = await runCommand(folder, file, args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.deepEqual(stderr.split('\n').sort(), [
      '',
      '.env: FAVOURITE is not a setting; .env.example lists all',
      '.env: RATE_LIMTI is not a setting; did you mean RATE_LIMIT?',
    ])
    assert.deepEqual(await readdir(folder), ['.env'])
  })
}

test('names in the environment that resemble a setting are warned of, others are not', async (t) => {
  const folder = await createEmptyFolder(t)
  const env = { DATABSE_URL: 'hidden', HOME: folder, FAVOURITE: 'x', DATABASE_URL: 'sqlite:a.db' }
  const { code, stderr } = await runCommand(folder, 'cli/migrate.ts', [], env)
  assert.equal(code, 0)
  assert.equal(stderr, 'Warning: DATABSE_URL is not a setting; did you mean DATABASE_URL?\n')
  assert.ok((await readdir(folder)).includes('a.db'))
})

test('.env sets what the environment leaves unset', async (t) => {
  const folder = await createEmptyFolder(t)
  const settings = 'SANDBOX_PORT=x # the port\nexport SANDBOX_SECRET="y"\n'
  await writeFile(join(folder, '.env'), settings)
  const { stderr } = await runCommand(folder, 'cli/sandbox.ts', [], { SANDBOX_PORT: 'z' })
  assert.match(stderr, /^SANDBOX_PORT must be .*, not "z"\nSANDBOX_SECRET must be [^\n]*\n$/)
})
