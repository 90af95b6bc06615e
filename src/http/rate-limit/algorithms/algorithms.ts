import type { Algorithm, AlgorithmName } from './algorithm.ts'
import { fixedWindow } from './fixed-window.ts'
import { leakyBucket } from './leaky-bucket.ts'
import { slidingWindow } from './sliding-window.ts'
import { tokenBucket } from './token-bucket.ts'

/** The algorithms by name. */
export const algorithms: Readonly<Record<AlgorithmName, Algorithm<unknown>>> = {
  'sliding-window': slidingWindow,
  'fixed-window': fixedWindow,
  'token-bucket': tokenBucket,
  'leaky-bucket': leakyBucket,
}
