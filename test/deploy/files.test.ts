import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { allSettings } from '#src/config/environment.ts'
import { loadBalancerSkipReason, temporaryPaths } from '#test/faults/scenarios/front.ts'
import { createIdentity } from '#test/support/https-app.ts'

const run = promisify(execFile)
const deployFile = (name: string) => new URL(`../../deploy/${name}`, import.meta.url)
const read = (name: string) => readFile(deployFile(name), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: the types of these files belong to other programs
type Json = any

const settingNames = new Set(allSettings.map(({ name }) => name))
/** Settings of Node, not of the server. */
const nodeSettings = ['NODE_ENV', 'NODE_COMPILE_CACHE']

function assertSettings(names: readonly string[]): void {
  const unknown = names.filter((name) => !settingNames.has(name) && !nodeSettings.includes(name))
  assert.deepEqual(unknown, [])
}

const { TEST_PROMTOOL, TEST_SYSTEMD_ANALYZE } = process.env
const skipReason = (location: string | undefined, name: string) =>
  location === undefined && `${name} is not installed`

describe('deploy/compose.yaml', () => {
  test('starts two servers after the database and Redis, read-only and without privileges', async () => {
    const compose: Json = parse(await read('compose.yaml'), { merge: true })
    for (const name of ['server-1', 'server-2']) {
      const server = compose.services[name]
      assert.equal(server.read_only, true)
      assert.deepEqual(server.cap_drop, ['ALL'])
      assert.deepEqual(server.security_opt, ['no-new-privileges:true'])
      assertSettings(Object.keys(server.environment))
      const needed = Object.entries<Json>(server.depends_on)
      assert.deepEqual(
        needed.map(([each, { condition }]) => [each, condition]),
        [
          ['database', 'service_healthy'],
          ['redis', 'service_healthy'],
        ],
      )
      for (const [each] of needed) assert.ok(compose.services[each].healthcheck.test.length > 0)
      assert.match(server.ports[0], /^127\.0\.0\.1:300[12]:3000$/)
    }
  })

  test('uses only volumes, files and build targets that exist', async () => {
    const compose: Json = parse(await read('compose.yaml'), { merge: true })
    const dockerfile = await read('Dockerfile')
    const written = ['metrics-token']
    for (const { volumes = [], build } of Object.values<Json>(compose.services)) {
      for (const volume of volumes as string[]) {
        const source = volume.slice(0, volume.indexOf(':'))
        if (!source.startsWith('./')) assert.ok(source in compose.volumes, source)
        else if (!written.includes(source.slice(2)))
          assert.equal(globSync(deployFile(source).pathname).length, 1, source)
      }
      if (build) assert.match(dockerfile, new RegExp(`^FROM \\S+ AS ${build.target}$`, 'm'))
    }
  })
})

describe('deploy/Dockerfile', () => {
  test('runs Node 26 as PID 1, without privileges, with a health check that needs no other program', async () => {
    const dockerfile = await read('Dockerfile')
    assert.match(dockerfile, /^ARG NODE_IMAGE=\S+node:26-/m)
    assert.match(dockerfile, /npm ci --omit=dev/)
    assert.match(dockerfile, /^ENTRYPOINT \["node", /m)
    assert.match(dockerfile, /^HEALTHCHECK .*\\\n {2}CMD \["node", "-e", /m)
    const users = [...dockerfile.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user)
    assert.equal(users.at(-1), '1000:1000')
    const [, environment = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? []
    assertSettings(environment.split(' ').map((each) => each.split('=')[0] ?? ''))
  })
})

describe('the units of systemd', {
  skip: skipReason(TEST_SYSTEMD_ANALYZE, 'systemd-analyze'),
}, () => {
  const pathOf = (unit: string) => deployFile(unit).pathname
  const services = ['cartwright@.service', 'cartwright-backup.service']
  const analyze = (...args: string[]) => run(String(TEST_SYSTEMD_ANALYZE), args)

  test('have an exposure level of at most 2.0', async () => {
    for (const unit of services) {
      const { stdout } = await analyze('security', '--offline=yes', '--no-pager', pathOf(unit))
      const [, level] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
      assert.ok(Number(level) <= 2, stdout)
    }
  })

  test('are units that systemd understands', async () => {
    const units = [...services, 'cartwright-backup.timer'].map(pathOf)
    // It fails only because the server is not installed at its place here.
    const problems = await analyze('verify', ...units).then(
      ({ stderr }) => stderr,
      ({ stderr }: { stderr: string }) => stderr,
    )
    const others = problems.split('\n').filter((line) => !/^$|is not executable/.test(line))
    assert.deepEqual(
      others.filter((line) => line.includes('cartwright')),
      [],
    )
  })

  test('go on trying while PostgreSQL is down', async () => {
    const text = await read('cartwright@.service')
    assert.match(text, /^StartLimitIntervalSec=0$/m)
    assert.match(text, /^Restart=on-failure$/m)
  })

  test('set only settings of the server', async () => {
    const [, environment = ''] = /^Environment=(.+)$/m.exec(await read('cartwright@.service')) ?? []
    assertSettings(environment.split(' ').map((each) => each.split('=')[0] ?? ''))
  })
})

describe('deploy/nginx.conf', { skip: loadBalancerSkipReason() }, () => {
  test('with the lines for a certificate is a configuration that nginx takes', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cartwright-nginx-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const { cert, key } = await createIdentity()
    await writeFile(join(folder, 'shop.pem'), cert)
    await writeFile(join(folder, 'shop.key'), key)
    const shipped = await read('nginx.conf')
    const withCertificate = shipped
      .replace('listen 8080;', '')
      .replace(/^ {4}# {3}(?=(?:listen|ssl_))/gm, '    ')
      .replaceAll('/etc/ssl/', `${folder}/`)
      .replace('http {', `pid ${folder}/pid; http { ${temporaryPaths(folder)}`)
    assert.match(withCertificate, /^ {4}listen 443 ssl http2;$/m)
    await writeFile(join(folder, 'nginx.conf'), withCertificate)
    const place = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
    await run(process.env['TEST_NGINX'] ?? 'nginx', ['-t', ...place])
  })
})

describe('deploy/monitoring', { skip: skipReason(TEST_PROMTOOL, 'promtool') }, () => {
  const promtool = (...args: string[]) => run(String(TEST_PROMTOOL), args)
  const path = (name: string) => deployFile(`monitoring/${name}`).pathname

  test('has valid rules and a valid configuration', async () => {
    await promtool('check', 'rules', path('alerts.yml'))
    await promtool('check', 'config', '--syntax-only', path('prometheus.yml'))
  })

  test('has alerts that fire when they should and not before', async () => {
    const { stdout } = await promtool('test', 'rules', path('alerts.test.yml'))
    assert.match(stdout, /SUCCESS/)
  })
})
