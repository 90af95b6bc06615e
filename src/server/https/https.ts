import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { HttpsPolicy, OwnHttps } from '#http/server/network/https-policy.ts'
import { trustIn } from '#http/server/network/proxies.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import type { Ports } from '#src/server/listen.ts'
import { StartError } from '#src/server/start-error.ts'
import type { SecureListener, ServerIdentity } from './listener.ts'

type Files = Pick<Config, 'tlsCert' | 'tlsKey'>

const renewalEveryMs = 5_000

/**
 * Reads the certificate that is set and its key, undefined where none is; throws a StartError that
 * says which of them is wrong, and how.
 */
export function readIdentityOf({ tlsCert, tlsKey }: Files): ServerIdentity | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const cert = read('TLS_CERT', tlsCert)
  const key = read('TLS_KEY', tlsKey)
  const certificate = parse('TLS_CERT', tlsCert, 'no certificate in PEM', () => {
    return new X509Certificate(cert)
  })
  const secret = parse('TLS_KEY', tlsKey, 'no private key in PEM without a passphrase', () => {
    return createPrivateKey(key)
  })
  if (!certificate.checkPrivateKey(secret)) {
    throw new StartError(`TLS_KEY: ${tlsKey} does not belong to the certificate in ${tlsCert}`)
  }
  parse('TLS_CERT', tlsCert, 'what TLS cannot use', () => createSecureContext({ cert, key }))
  return { cert, key }
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`${name}: ${file} cannot be read (${code})`)
  }
}

function parse<T>(name: string, file: string, fault: string, make: () => T): T {
  try {
    return make()
  } catch {
    throw new StartError(`${name}: ${file} holds ${fault}`)
  }
}

/** On which ways requests may come in. */
export function httpsPolicyOf(
  { plainHttp: plain, trustProxy, baseUrl }: Config,
  identity: ServerIdentity | undefined,
  { tlsPort }: Ports,
): HttpsPolicy {
  return {
    plain,
    baseUrl,
    ...(trustProxy ? { trusts: trustIn(trustProxy) } : {}),
    ...(identity && tlsPort !== undefined ? { https: ownHttps(identity, tlsPort) } : {}),
  }
}

function ownHttps({ cert }: ServerIdentity, port: number): OwnHttps {
  const certificate = new X509Certificate(cert)
  const [, alternative] = /(?:^|, )DNS:([\w.-]+)/.exec(certificate.subjectAltName ?? '') ?? []
  const [, common] = /^CN=([\w.-]+)$/m.exec(certificate.subject) ?? []
  // Each check throws at what the other is for.
  const isOwn = (host: string) =>
    (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
  return { port, isOwn, name: alternative ?? common ?? 'localhost' }
}

/**
 * Shows a new certificate once its files have changed; where they cannot be used, the old one stays
 * and the log tells. Gives what ends it.
 */
export function renewIdentity(files: Files, { renew }: SecureListener, log: Log): () => void {
  const again = (): void => {
    try {
      const identity = readIdentityOf(files)
      if (identity) renew(identity)
      log.info('the certificate was renewed')
    } catch (error) {
      // Of two files that change, one is seen first.
      log.warn({ reason: (error as Error).message }, 'the certificate was not renewed')
    }
  }
  const watched = [files.tlsCert, files.tlsKey].filter((file) => file !== undefined)
  for (const file of watched) {
    watchFile(file, { interval: renewalEveryMs, persistent: false }, again)
  }
  return () => {
    for (const file of watched) unwatchFile(file, again)
  }
}
