import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** What a process has loaded of Node and of packages once it has imported what a start imports. */
async function loadedByServe(): Promise<{ readonly builtin: string[]; readonly files: string[] }> {
  const script = `
    const { registerHooks } = await import('node:module')
    const files = []
    registerHooks({ load: (url, context, next) => { files.push(url); return next(url, context) } })
    await import(${JSON.stringify(new URL('./serve.ts', import.meta.url).href)})
    process.stdout.write(JSON.stringify({ builtin: process.moduleLoadList, files }))`
  const words = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

test('a start loads nothing that it does not need', async () => {
  const { builtin, files } = await loadedByServe()
  assert.ok(builtin.some((name) => name.includes('http')))
  assert.deepEqual(
    builtin.filter((name) => /undici/.test(name)),
    [],
    'fetch comes with an import of node:http: use process.getBuiltinModule',
  )
  const spared = [
    ...['postgres', 'ioredis', 'oidc-provider', 'ajv', '@scalar', 'typebox'],
    ...['jose/dist/webapi/jwe', 'kysely/dist/esm', '@opentelemetry/api', 'tdigest'],
  ]
  for (const name of spared) {
    const found = files.filter((url) => url.includes(`/node_modules/${name}/`))
    assert.deepEqual(found, [], name)
  }
  assert.ok(files.some((url) => url.includes('/node_modules/jose/')))
  const demo = files.filter((url) => url.includes('/src/demo/'))
  assert.deepEqual(demo, [])
})
