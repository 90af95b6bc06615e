import { hourMs, minuteMs, secondMs } from './instant.ts'

/** The number of requests allowed in a window of time. */
export interface Allowance {
  /** At least 1. */
  readonly limit: number
  readonly windowMs: number
  /** The limit without load, where `limit` is smaller under load. */
  readonly fullLimit?: number
}

/** An allowance with its name. */
export interface Quota extends Allowance {
  readonly name: string
}

const unitMs = { s: secondMs, m: minuteMs, h: hourMs }
const maxRequests = 1_000_000_000

/** Parses REQUESTS/TIME of at most one hour, such as `100/60s`, or `off`; undefined for other text. */
export function parseAllowance(text: string): Allowance | 'off' | undefined {
  if (text === 'off') return text
  const [, requests, count, unit] = /^([1-9]\d{0,9})\/([1-9]\d{0,3})([smh])$/.exec(text) ?? []
  const limit = Number(requests)
  const windowMs = Number(count) * unitMs[unit as keyof typeof unitMs]
  const isInRange = limit >= 1 && limit <= maxRequests && windowMs >= 1 && windowMs <= hourMs
  return isInRange ? { limit, windowMs } : undefined
}
