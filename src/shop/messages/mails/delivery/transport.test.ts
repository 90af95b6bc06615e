import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { parseMail, startMailServer } from '#test/support/services/doubles/mail-server.ts'
import { freePort } from '#test/support/services/ports.ts'
import { deleteOldMailFiles } from './folder.ts'
import { createFolderTransport, createSmtpTransport } from './transport.ts'

const sender = { name: 'Kettle & Co, "Paris"', address: 'shop@example.com' }
const message = {
  to: 'ada@example.com',
  subject: 'Ihre Bestellung – №1',
  text: 'Grüße\n',
  html: '<p>Grüße</p>\n',
  language: 'de',
}

async function openServer(context: TestContext) {
  const server = await startMailServer()
  context.after(server.close)
  return server
}

test('a mail has text and HTML, one recipient and a Message-ID of its key', async (context) => {
  const server = await openServer(context)
  const { send } = createSmtpTransport(server.url, sender)
  assert.deepEqual(await send('evt_1', message), { kind: 'sent' })
  const [mail] = server.mails
  assert.deepEqual(mail?.to, ['ada@example.com'])
  assert.match(mail?.text ?? '', /^Grüße\s*$/)
  assert.match(mail?.html ?? '', /^<p>Grüße<\/p>\s*$/)
  assert.equal(mail?.headers['subject'], message.subject)
  assert.equal(mail?.headers['message-id'], '<evt_1@example.com>')
  assert.equal(mail?.headers['from'], '"Kettle & Co, \\"Paris\\"" <shop@example.com>')
  assert.equal(mail?.headers['auto-submitted'], 'auto-generated')
  assert.equal(mail?.headers['content-language'], 'de')
})

test('an address that is more than one address, or a subject of two lines, adds no header', async (context) => {
  const server = await openServer(context)
  const { send } = createSmtpTransport(server.url, sender)
  const others = ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', '<a@b.c>']
  for (const to of [...others, 'Eve <eve@example.com>', 'a@b@example.com', 'nobody']) {
    assert.equal((await send('evt_2', { ...message, to })).kind, 'rejected', to)
  }
  assert.equal(server.mails.length, 0)
  const subject = 'Order\r\nBcc: eve@example.com\r\n\r\nHello'
  await send('evt_3', { ...message, subject })
  assert.deepEqual(server.mails[0]?.to, ['ada@example.com'])
  assert.equal(server.mails[0]?.headers['bcc'], undefined)
})

test('the rejection of a recipient is final, one of the server or the connection is not', async (context) => {
  const server = await openServer(context)
  const { send } = createSmtpTransport(server.url, sender)
  server.reject = () => 550
  const rejection = await send('evt_4', message)
  assert.equal(rejection.kind, 'rejected')
  assert.match(JSON.stringify(rejection), /<\[address\]>: Recipient address rejected/)
  server.reject = () => 451
  assert.equal((await send('evt_4', message)).kind, 'failed')
  const closed = createSmtpTransport(`smtp://127.0.0.1:${await freePort()}`, sender)
  assert.equal((await closed.send('evt_4', message)).kind, 'failed')
  // The double offers no authentication, as a server whose password is wrong accepts none.
  const locked = createSmtpTransport(server.url.replace('//', '//user:secret@'), sender)
  const result = await locked.send('evt_4', message)
  assert.equal(result.kind, 'failed')
  assert.doesNotMatch(JSON.stringify(result), /secret/)
})

test('the connection to a server that answers slowly but steadily is closed in the end', async (context) => {
  const { promise: closed, resolve } = Promise.withResolvers<boolean>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 ready\r\n')
    const drip = setInterval(() => socket.write('250-more\r\n'), 5)
    socket.on('close', () => {
      clearInterval(drip)
      resolve(true)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { send } = createSmtpTransport(`smtp://127.0.0.1:${port}`, sender, 200)
  assert.deepEqual(await send('evt_5', message), { kind: 'failed', error: 'no result in time' })
  assert.ok(await closed)
  const stopped = AbortSignal.abort()
  assert.equal((await send('evt_5', message, stopped)).kind, 'failed')
})

test('mails are written to a private folder, twice under one name, and those of unknown persons leave', async (context) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'cartwright-mail-')), 'data', 'mail')
  const { store, dispose } = await openTemporaryStore('memory')
  context.after(dispose)
  context.after(() => rm(join(folder, '..', '..'), { recursive: true }))
  const { send } = createFolderTransport(folder, sender)
  await send('evt_1', message)
  await send('evt_1', message)
  await send('evt_2', message)
  assert.deepEqual(await readdir(folder), ['evt_1.eml', 'evt_2.eml'])
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, 'evt_1.eml'))).mode & 0o777, 0o600)
  const source = await readFile(join(folder, 'evt_1.eml'), 'latin1')
  assert.equal(parseMail(source).headers['message-id'], '<evt_1@example.com>')
  const mail = { kind: 'order_shipped', due_at: 1, created_at: 1 } as const
  await store.db
    .insertInto('mails')
    .values({ ...mail, mail_key: 'evt_1' })
    .execute()
  assert.equal(await deleteOldMailFiles(store.db, folder), 1)
  assert.deepEqual(await readdir(folder), ['evt_1.eml'])
  assert.equal(await deleteOldMailFiles(store.db, folder, 0), 1)
  assert.deepEqual(await readdir(folder), [])
})
