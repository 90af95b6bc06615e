import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { failToStart } from '#src/server/exit-on-start-error.ts'
import { keepCertificate } from '#src/server/https/certificate.ts'
import { StartError } from '#src/server/start-error.ts'

const usage =
  'usage: npm run cert -- [--cert FILE] [--key FILE] [--host NAME-OR-ADDRESS]… [--renew]'
const hereOnly = ['localhost', '127.0.0.1', '::1'] as const

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        cert: { type: 'string', default: 'data/tls-cert.pem' },
        key: { type: 'string', default: 'data/tls-key.pem' },
        host: { type: 'string', multiple: true, default: [] },
        renew: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    // The first sentence; the others are advice on how to quote.
    throw new StartError(`${(error as Error).message.split(/[.;\n]/)[0]}; ${usage}`)
  }
}

function tell(cert: string, key: string, what: string): void {
  console.log(
    [
      what,
      `  certificate   ${cert}`,
      `  private key   ${key} (for this user alone to read)`,
      '\nStart the server with it, and call it:',
      `  TLS_CERT=${cert} TLS_KEY=${key} npm start`,
      `  curl --cacert ${cert} https://localhost:3443/`,
    ].join('\n'),
  )
}

try {
  const { cert, key, host, renew } = readArguments(process.argv.slice(2))
  const wrong = host.find((name) => !/^[\w.:*-]+$/.test(name))
  if (wrong !== undefined) throw new StartError(`--host ${wrong} is no name and no address`)
  const names = [...hereOnly, ...host] as const
  const files = { certificate: resolve(cert), key: resolve(key) }
  const { isNew, until } = await keepCertificate(files, names, { now: Date.now(), renew })
  const until10 = new Date(until).toISOString().slice(0, 10)
  const which = isNew ? `A certificate for ${names.join(', ')} was made` : 'A certificate is there'
  tell(relative('', files.certificate), relative('', files.key), `${which}, good until ${until10}.`)
} catch (error) {
  failToStart(error)
}
