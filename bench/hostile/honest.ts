import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../statistics.ts'
import { createClient } from './client.ts'

/** What honest clients get while others attack. */
export interface HonestFigures {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** The responses other than 200, by status; 0 stands for none. */
  readonly failures: Readonly<Record<number, number>>
  readonly signIns: { readonly ok: number; readonly failed: number }
}

/** Somebody who signs in now and then. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

const perSecond = 50
const signInEveryMs = 2_000
/** The customers come from so many addresses, each within its limits. */
const networks = 250
const connections = 32

/**
 * Has customers read a product at a steady rate, and one sign in now and then. Each request counts from its
 * planned moment, so that a stall shows in all that should have been sent during it.
 */
export async function measureHonest(
  port: number,
  seconds: number,
  body: Credentials,
): Promise<HonestFigures> {
  const client = createClient(port, connections)
  const tookMs: number[] = []
  const failures: Record<number, number> = {}
  const signIns = { ok: 0, failed: 0 }
  const beganMs = performance.now()
  const at = async (plannedMs: number): Promise<void> => {
    await sleep(Math.max(0, beganMs + plannedMs - performance.now()))
  }
  const read = async (turn: number): Promise<void> => {
    const plannedMs = (turn * 1_000) / perSecond
    await at(plannedMs)
    const from = `198.18.0.${turn % networks}`
    const { status } = await client.send({ method: 'GET', path: '/products/1', from })
    tookMs.push(performance.now() - beganMs - plannedMs)
    if (status !== 200) failures[status] = (failures[status] ?? 0) + 1
  }
  const signIn = async (turn: number): Promise<void> => {
    await at(turn * signInEveryMs)
    const from = `198.18.1.${turn % networks}`
    const { status } = await client.send({ method: 'POST', path: '/login', from, body })
    signIns[status === 200 ? 'ok' : 'failed'] += 1
  }
  await Promise.all([
    ...Array.from({ length: seconds * perSecond }, (_, turn) => read(turn)),
    ...Array.from({ length: (seconds * 1_000) / signInEveryMs }, (_, turn) => signIn(turn)),
  ])
  client.close()
  const [p50Ms, p99Ms, maxMs] = [0.5, 0.99, 1].map((part) => quantile(tookMs, part)) as number[]
  return { p50Ms: p50Ms ?? 0, p99Ms: p99Ms ?? 0, maxMs: maxMs ?? 0, failures, signIns }
}
