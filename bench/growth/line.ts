import { below, type Line, type Target, whole } from '../report.ts'
import type { Aim } from './requests.ts'

/** What one request took at either size: medians in milliseconds. */
export interface Grew {
  readonly name: string
  readonly aim: Aim
  readonly smallMs: number
  readonly largeMs: number
}

/** Which two were compared, and on what. */
export interface Sizes {
  readonly small: number
  readonly large: number
  readonly on: string
}

const mostRatio = 1.3
const mostMs = 10

/** Puts in a line what the large database takes beside the small one, which stands as its floor. */
export function lineOf({ name, aim, smallMs, largeMs }: Grew, { small, large, on }: Sizes): Line {
  const ratio = largeMs / smallMs
  const target = targetOf(aim, ratio, largeMs)
  return {
    name: `${on}: ${name}, ${whole(large)} beside ${whole(small)}`,
    server: `${largeMs.toFixed(2)} ms`,
    floor: `${smallMs.toFixed(2)} ms`,
    ratio: ratio.toFixed(2),
    ...(target && { target }),
  }
}

function targetOf(aim: Aim, ratio: number, largeMs: number): Target | undefined {
  if (aim === 'even') return { text: `≤ ${mostRatio}`, met: ratio <= mostRatio }
  return aim === 'quick' ? below(largeMs, mostMs, 'ms') : undefined
}
