import { after, before, describe, test } from 'node:test'
import type { Change } from '#store/changes.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { type DatabaseProxy, openProxy } from '#test/support/services/database-proxy.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { PostgresFeed } from './changes.ts'

const noOtherWay = () => Promise.reject(new Error('there is no other way'))
const isTrue = (value: boolean): boolean => value

describe('changes sent over a connection that falls silent', {
  skip: skipReason('postgres'),
}, () => {
  let proxy: DatabaseProxy
  let writer: PostgresFeed
  let reader: PostgresFeed
  const received: Change[] = []
  const openFeeds = async () => {
    writer = new PostgresFeed(proxy.url, noOtherWay)
    reader = new PostgresFeed(process.env['TEST_DATABASE_URL'] ?? '', noOtherWay)
    writer.subscribe(() => undefined)
    reader.subscribe((change) => void received.push(change))
    for (const feed of [writer, reader]) await pollUntil(async () => feed.isConnected(), isTrue)
  }
  before(async () => {
    proxy = await openProxy()
    await openFeeds()
  })
  after(async () => {
    await Promise.all([writer.close(), reader.close()])
    await proxy.close()
  })

  test('reach other processes by another one, as a change of anything', async () => {
    await writer.publish(['product 1'])
    await pollUntil(async () => received.flat().includes('product 1'), isTrue)
    received.length = 0
    proxy.drop()
    await writer.publish(['product 2'])
    await pollUntil(
      async () => received.includes('anything') || received.flat().includes('product 2'),
      isTrue,
    )
  })

  test('are heard of again, and until then the process knows that it does not hear of them', async () => {
    await pollUntil(async () => writer.isConnected(), isTrue)
    proxy.drop()
    await pollUntil(
      async () => writer.isConnected(),
      (isConnected) => !isConnected,
    )
    await pollUntil(async () => writer.isConnected(), isTrue)
  })
})
