import { relative, resolve } from 'node:path'
import { ensureCertificate } from '#src/server/https/certificate.ts'
import { exitWithStartError, UsageError } from '#src/server/start-error.ts'
import { readArguments } from './arguments.ts'

const localNames = ['localhost', '127.0.0.1', '::1'] as const

const command = {
  usage: 'npm run cert -- [--cert FILE] [--key FILE] [--host NAME-OR-ADDRESS]… [--renew]',
  description:
    'Creates a TLS certificate for this machine, unless there is a valid one, and prints how to use it.',
  options: {
    cert: { type: 'string', default: 'data/tls-cert.pem' },
    key: { type: 'string', default: 'data/tls-key.pem' },
    host: { type: 'string', multiple: true, default: [] as string[] },
    renew: { type: 'boolean', default: false },
  },
} as const

function printResult(cert: string, key: string, summary: string): void {
  console.log(
    [
      summary,
      `  certificate   ${cert}`,
      `  private key   ${key} (readable by this user only)`,
      '\nStart the server with it and send a request:',
      `  TLS_CERT=${cert} TLS_KEY=${key} npm start`,
      `  curl --cacert ${cert} https://localhost:3443/`,
    ].join('\n'),
  )
}

try {
  const { cert, key, host, renew } = readArguments(command).values
  const invalid = host.find((name) => !/^[\w.:*-]+$/.test(name))
  if (invalid !== undefined) {
    throw new UsageError(`--host ${invalid} is not a host name or IP address`)
  }
  const names = [...localNames, ...host] as const
  const files = { certificate: resolve(cert), key: resolve(key) }
  const { isNew, until } = await ensureCertificate(files, names, { now: Date.now(), renew })
  const lastDay = new Date(until).toISOString().slice(0, 10)
  const state = isNew ? `Created a certificate for ${names.join(', ')}` : 'The certificate exists'
  printResult(
    relative('', files.certificate),
    relative('', files.key),
    `${state}, valid until ${lastDay}.`,
  )
} catch (error) {
  exitWithStartError(error)
}
