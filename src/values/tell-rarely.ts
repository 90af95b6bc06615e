import { secondMs } from './instant.ts'

/**
 * Returns what bounds how often something of a kind is told: it returns how many were left out since the last
 * one that was told, and undefined for one to be left out. One a second is told, unless `intervalMs` is another.
 */
export function tellRarely(
  intervalMs: number = secondMs,
  nowMs = () => performance.now(),
): (kind?: string) => number | undefined {
  const kinds = new Map<string, { readonly toldAtMs: number; leftOut: number }>()
  return (kind = '') => {
    const last = kinds.get(kind)
    if (last && nowMs() - last.toldAtMs < intervalMs) {
      last.leftOut += 1
      return undefined
    }
    kinds.set(kind, { toldAtMs: nowMs(), leftOut: 0 })
    return last?.leftOut ?? 0
  }
}
