import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ServedRequest } from '#http/server/observe-requests.ts'
import { secondMs } from '#values/instant.ts'
import { tellRarely } from '#values/tell-rarely.ts'
import { createLog, createRejectionLog, createRequestLog } from './log.ts'

type Level = Parameters<typeof createLog>[0]

function logOf(level: Level = 'info') {
  const lines: string[] = []
  const log = createLog(level, { write: (line) => lines.push(line) })
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log, lines, entries }
}

const served: ServedRequest = {
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
  test('has one line per request with its user, status and duration', () => {
    const { log, entries } = logOf()
    createRequestLog(log, 'network')(served)
    const [{ time, pid, ...line } = {}] = entries()
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

  test('contains no address for `none` and the whole address for `full`', () => {
    const { log, entries } = logOf()
    createRequestLog(log, 'none')(served)
    createRequestLog(log, 'full')(served)
    assert.deepEqual(
      entries().map(({ address }) => address),
      [undefined, '203.0.113.77'],
    )
  })

  test('leaves out health checks and metrics at level info', () => {
    const { log, lines } = logOf()
    for (const route of ['/health/live', '/health/ready', '/metrics']) {
      createRequestLog(log, 'network')({ ...served, route })
    }
    assert.equal(lines.length, 0)
  })

  test('has one refusal a second of each status, and the number of those left out', () => {
    const { log, entries } = logOf()
    let nowMs = 0
    const logServed = createRequestLog(
      log,
      'network',
      tellRarely(secondMs, () => nowMs),
    )
    const flood = () => {
      for (let at = 0; at < 100; at++) logServed({ ...served, status: at % 4 === 0 ? 503 : 429 })
      logServed({ ...served, status: 404 })
    }
    flood()
    nowMs = 1000
    flood()
    assert.deepEqual(
      entries().map(({ status, left_out = 0 }) => `${status} ${left_out}`),
      ['503 0', '429 0', '404 0', '503 24', '429 74', '404 0'],
    )
  })

  test('has one rejected request a second', () => {
    const { log, entries } = logOf()
    const logRejected = createRejectionLog(
      log,
      'network',
      tellRarely(secondMs, () => 0),
    )
    const rejected = { requestId: 'r', status: 400, reason: 'HPE_INVALID_METHOD' }
    for (let at = 0; at < 100; at++) {
      logRejected({ ...rejected, errorCode: '4002', address: '192.0.2.1' })
    }
    assert.equal(entries().length, 1)
  })

  test('contains no secret up to the third level', () => {
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

  test('leaves out lines below its level', () => {
    const { log, lines } = logOf('warn')
    createRequestLog(log, 'network')(served)
    log.info('below the level')
    assert.equal(lines.length, 0)
  })
})
