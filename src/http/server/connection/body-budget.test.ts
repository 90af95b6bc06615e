import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { budgetBytes, createBodyBudget, pieceBytes, releaseBody } from './body-budget.ts'

const mebibyte = 2 ** 20
const piece = Buffer.alloc(mebibyte)

/** A budget, and a function that sends a MiB of a new body without an end: true if it is accepted. */
function startBudget() {
  const budget = createBodyBudget()
  const open = (network: string) => {
    const socket = new Socket()
    const request = new IncomingMessage(socket)
    request.httpVersionMajor = 1
    request.headers = { 'transfer-encoding': 'chunked' }
    request.on('error', () => undefined).resume()
    const response = new ServerResponse(request)
    budget.watch(request, response, network)
    let problem: unknown
    request.once('error', (error) => {
      problem = error
    })
    const send = () => {
      request.push(piece)
      return problem === undefined
    }
    return { request, response, send }
  }
  return { budget, open }
}

test('a network takes at most a third of what is left, and others still find room', () => {
  const { budget, open } = startBudget()
  const fill = (network: string) => {
    let bodies = 0
    while (open(network).send()) bodies += 1
    return bodies
  }
  assert.equal(fill('a'), 64)
  assert.equal(fill('a'), 0)
  const others = Array.from({ length: 10 }, (_, at) => fill(`n${at}`))
  assert.ok(
    others.every((bodies) => bodies >= 1),
    String(others),
  )
  assert.ok(budget.usedBytes() < budgetBytes)
  assert.equal(open('newcomer').send(), true)
})

test('a body is counted until its response is sent, or its reader has processed it', () => {
  const { budget, open } = startBudget()
  const bodies = [open('a'), open('a')]
  for (const { send } of bodies) assert.equal(send(), true)
  assert.equal(budget.usedBytes(), 2 * (mebibyte + pieceBytes))
  bodies[0]?.response.emit('close')
  assert.equal(budget.usedBytes(), mebibyte + pieceBytes)
  releaseBody(bodies[1]?.request ?? {})
  assert.equal(budget.usedBytes(), 0)
  bodies[1]?.send()
  bodies[1]?.response.emit('close')
  assert.equal(budget.usedBytes(), 0)
})
