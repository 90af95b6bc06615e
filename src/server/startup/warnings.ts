import { warnOfSlowHashes } from '#shop/accounts/passwords/hash.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import { warnOfUnscaledImages } from './files.ts'
import { warnOfMailFolder } from './mail.ts'
import { warnOfSandbox } from './payment-provider.ts'

/** Logs at a start what a shop that sells lacks; of several workers, only their primary calls it. */
export function logWarnings(config: Config, log: Pick<Log, 'warn'>): void {
  warnOfSandbox(config, log)
  warnOfMailFolder(config, log)
  warnOfSlowHashes(log)
  warnOfUnscaledImages(log)
}
