import type { Check } from './check.ts'
import { callbackChecks } from './checks/callbacks.ts'
import { decidingChecks } from './checks/deciding.ts'
import { lostAnswerChecks } from './checks/lost-answers.ts'
import { payingChecks } from './checks/paying.ts'
import { refundingChecks } from './checks/refunding.ts'
import type { OpenSubject } from './subject.ts'

/** What a check found; `detail` is the error, or what the subject lacks. */
export interface CheckResult {
  readonly name: string
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly detail?: string
}

/** All rules of the provider interface. */
export const allChecks: readonly Check[] = [
  ...payingChecks,
  ...lostAnswerChecks,
  ...decidingChecks,
  ...refundingChecks,
  ...callbackChecks,
]

const checkTimeoutMs = 30_000

/** Checks a provider by all rules, each with a subject of its own. Never rejects. */
export async function* checkProvider(
  open: OpenSubject,
  checks: readonly Check[] = allChecks,
): AsyncGenerator<CheckResult> {
  for (const check of checks) yield await runCheck(open, check)
}

async function runCheck(open: OpenSubject, { name, lacks, run }: Check): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  try {
    const subject = await open()
    try {
      const lacking = lacks?.(subject)
      if (lacking !== undefined) return { name, result: 'skipped', detail: `without ${lacking}` }
      const late = new Promise<never>((_, reject) => {
        const error = new Error(`no end after ${checkTimeoutMs} ms`)
        timer = setTimeout(() => reject(error), checkTimeoutMs)
      })
      await Promise.race([run(subject), late])
      return { name, result: 'passed' }
    } finally {
      clearTimeout(timer)
      await subject.close()
    }
  } catch (error) {
    return {
      name,
      result: 'failed',
      detail: error instanceof Error ? error.message : String(error),
    }
  }
}
