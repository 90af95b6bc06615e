import { relative } from 'node:path'
import type { Config } from '#src/config/config.ts'
import type { FirstAdmin } from './prepare.ts'

/** Prints the new administrator to standard output; the password is shown only here. */
export function printFirstAdmin({ username, password }: FirstAdmin): void {
  const secret = password === undefined ? 'set by ADMIN_PASSWORD' : `${password} (shown only now)`
  console.log(`\nAn administrator was made.\n  username   ${username}\n  password   ${secret}`)
}

/** Prints the addresses of the server and the location of its data to standard output. */
export function printAddresses(config: Config, url: string): void {
  const { kind, file } = config.database
  const sqliteLocation = file === undefined ? 'in memory, lost on exit' : relative('', file)
  const { paymentProvider, paymentProviderUrl } = config
  const payments =
    paymentProvider === 'sandbox'
      ? 'built-in sandbox, no money moves'
      : (paymentProviderUrl ?? paymentProvider)
  console.log(
    [
      `\ncartwright listens at ${url}`,
      `  API        ${url}/`,
      `  docs       ${url}/docs`,
      ...(config.console ? [`  console    ${url}/console`] : []),
      `  data       ${kind === 'sqlite' ? sqliteLocation : 'PostgreSQL'}`,
      `  payments   ${payments}`,
      '  stop       Ctrl-C\n',
    ].join('\n'),
  )
}
