import { relative } from 'node:path'
import type { Config } from '#src/config/config.ts'
import type { FirstAdmin } from './prepare.ts'

/** Tells on standard output who the new administrator is: the only time its password is shown. */
export function printFirstAdmin({ username, password }: FirstAdmin): void {
  const secret = password === undefined ? 'as ADMIN_PASSWORD says' : `${password} (shown only now)`
  console.log(`\nAn administrator was made.\n  username   ${username}\n  password   ${secret}`)
}

/** Tells on standard output, in words, where everything is. */
export function printAddresses(config: Config, url: string): void {
  const { kind, file } = config.database
  const embedded = file === undefined ? 'in memory, gone at the end' : relative('', file)
  const payments = config.paymentProviderUrl ?? 'built-in sandbox, no money moves'
  console.log(
    [
      `\ncartwright listens at ${url}`,
      `  API        ${url}/`,
      `  docs       ${url}/docs`,
      `  data       ${kind === 'sqlite' ? embedded : 'PostgreSQL'}`,
      `  payments   ${payments}`,
      '  stop       Ctrl-C\n',
    ].join('\n'),
  )
}
