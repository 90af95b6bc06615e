import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { freePort } from '#test/support/services/ports.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
const receivers = [
  { language: 'js', command: process.execPath, file: 'receiver.mjs', skip: false },
  {
    language: 'python',
    command: 'python3',
    file: 'receiver.py',
    skip: !hasPython && 'python3 is not installed',
  },
] as const

let shop: TestApp
let admin: TestCaller
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-receivers-'))
  shop = await startTestApp('memory')
  shop.now = Date.now()
  admin = await shop.signInAs('admin')
})
after(async () => {
  await shop.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the code block of a language in docs/events.md. */
async function readBlock(language: string): Promise<string> {
  const text = await readFile(new URL('../../docs/events.md', import.meta.url), 'utf8')
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text) ?? []
  assert.ok(block)
  return block
}

async function waitUntilOpen(url: string): Promise<void> {
  await pollUntil(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    (isOpen) => isOpen,
  )
}

const collect = ({ stdout }: ChildProcess): (() => string) => {
  let text = ''
  stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

for (const { language, command, file, skip } of receivers) {
  test(`the receiver in ${language} prints events, and rejects what is not signed`, {
    skip,
  }, async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const { json: hook } = await admin.request('POST', '/webhooks', { url, types: ['*'] })
    const path = join(folder, file)
    await writeFile(path, await readBlock(language))
    const env = { ...process.env, WEBHOOK_SECRET: hook.secret, PORT: String(port) }
    const receiver = spawn(command, [path], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const output = collect(receiver)
      await waitUntilOpen(url)
      const { id } = await addProduct(admin)
      await shop.webhookDispatcher.round()
      await shop.webhookDispatcher.settled()
      await pollUntil(
        async () => output(),
        (text) => text.includes('\n'),
      )
      assert.equal(output(), `product.created /products/${id}\n`)
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,c2lnbmVkIGJ5IG5vYm9keQ==',
      }
      const unreadable = { ...headers, 'webhook-signature': 'v1,Grüße', 'webhook-timestamp': 'now' }
      for (const each of [headers, unreadable, {}]) {
        const { status } = await fetch(url, { method: 'POST', headers: each, body: '{}' })
        assert.equal(status, 400)
      }
      await admin.request('PATCH', `/webhooks/${hook.id}`, { active: false })
    } finally {
      receiver.kill()
      await once(receiver, 'exit')
    }
  })
}
