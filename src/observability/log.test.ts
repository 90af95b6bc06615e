import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Served } from '#http/server/observe-requests.ts'
import { logServed, openLog } from './log.ts'

type Level = Parameters<typeof openLog>[0]

function logOf(level: Level = 'info') {
  const lines: string[] = []
  const log = openLog(level, { write: (line) => lines.push(line) })
  const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log, lines, told }
}

const served: Served = {
  method: 'GET',
  path: '/users/7',
  route: '/users/:id',
  status: 200,
  milliseconds: 1.23456,
  requestId: 'r-1',
  userId: 7,
  address: '203.0.113.77',
}

describe('the log', () => {
  test('tells of an answer who asked for what, how it ended and how long it took', () => {
    const { log, told } = logOf()
    logServed(log, served, 'network')
    const [{ time, pid, ...line } = {}] = told()
    assert.deepEqual(line, {
      level: 'info',
      request_id: 'r-1',
      method: 'GET',
      path: '/users/7',
      route: '/users/:id',
      status: 200,
      milliseconds: 1.235,
      user_id: 7,
      address: '203.0.113.0',
      msg: 'request',
    })
    assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.equal(pid, process.pid)
  })

  test('names no address where none is wanted, and all of it where that is', () => {
    const { log, told } = logOf()
    logServed(log, served, 'none')
    logServed(log, served, 'full')
    assert.deepEqual(
      told().map(({ address }) => address),
      [undefined, '203.0.113.77'],
    )
  })

  test('does not fill up with the questions of machines', () => {
    const { log, lines } = logOf()
    for (const route of ['/health/live', '/health/ready', '/metrics']) {
      logServed(log, { ...served, route }, 'network')
    }
    assert.equal(lines.length, 0)
  })

  test('holds no secret, however deep it was handed over', () => {
    const { log, lines } = logOf()
    const secrets = {
      authorization: 'hidden',
      cookie: 'hidden',
      'set-cookie': 'hidden',
      'x-api-key': 'hidden',
      password: 'hidden',
      token: 'hidden',
      refresh_token: 'hidden',
      api_key: 'hidden',
      secret: 'hidden',
    }
    log.info(secrets)
    log.info({ headers: secrets })
    log.info({ req: { headers: secrets } })
    log.error({ err: Object.assign(new Error('no'), secrets) })
    assert.equal(lines.length, 4)
    assert.doesNotMatch(lines.join(''), /hidden/)
  })

  test('leaves out what is less grave than its level', () => {
    const { log, lines } = logOf('warn')
    logServed(log, served, 'network')
    log.info('told')
    assert.equal(lines.length, 0)
  })
})
