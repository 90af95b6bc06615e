import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { type AddressMatcher, compileAddressMatcher } from '#http/message/addresses.ts'
import type { HttpsEndpoint, HttpsPolicy } from '#http/server/network/https-policy.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import type { Ports } from '#src/server/listen.ts'
import { StartError } from '#src/server/start-error.ts'
import type { SecureListener, ServerIdentity } from './listener.ts'

type Files = Pick<Config, 'tlsCert' | 'tlsKey'>

const pollIntervalMs = 5_000

/**
 * Reads the configured certificate and its key; undefined without a certificate. Throws a StartError
 * that names the invalid file and the reason.
 */
export function readServerIdentity({ tlsCert, tlsKey }: Files): ServerIdentity | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const cert = read('TLS_CERT', tlsCert)
  const key = read('TLS_KEY', tlsKey)
  const certificate = parse('TLS_CERT', tlsCert, 'no certificate in PEM', () => {
    return new X509Certificate(cert)
  })
  const privateKey = parse('TLS_KEY', tlsKey, 'no private key in PEM without a passphrase', () => {
    return createPrivateKey(key)
  })
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartError(`TLS_KEY: ${tlsKey} does not belong to the certificate in ${tlsCert}`)
  }
  parse('TLS_CERT', tlsCert, 'a certificate that TLS cannot use', () =>
    createSecureContext({ cert, key }),
  )
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

function parse<T>(name: string, file: string, content: string, make: () => T): T {
  try {
    return make()
  } catch {
    throw new StartError(`${name}: ${file} contains ${content}`)
  }
}

/** Returns what tells trusted proxies by their addresses; undefined without any. */
export const trustedProxyOf = ({ trustProxy }: Config): AddressMatcher | undefined =>
  trustProxy && compileAddressMatcher(trustProxy)

/** Returns the policy of which requests need HTTPS and which proxies are trusted. */
export function createHttpsPolicy(
  config: Config,
  identity: ServerIdentity | undefined,
  { tlsPort }: Ports,
): HttpsPolicy {
  const { plainHttp: plain, baseUrl } = config
  const isTrustedProxy = trustedProxyOf(config)
  return {
    plain,
    baseUrl,
    ...(isTrustedProxy ? { isTrustedProxy } : {}),
    ...(identity && tlsPort !== undefined ? { https: ownHttps(identity, tlsPort) } : {}),
  }
}

function ownHttps({ cert }: ServerIdentity, port: number): HttpsEndpoint {
  const certificate = new X509Certificate(cert)
  const [, alternative] = /(?:^|, )DNS:([\w.-]+)/.exec(certificate.subjectAltName ?? '') ?? []
  const [, common] = /^CN=([\w.-]+)$/m.exec(certificate.subject) ?? []
  // checkIP throws for a host name, and checkHost for an IP address.
  const coversHost = (host: string) =>
    (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
  return { port, coversHost, name: alternative ?? common ?? 'localhost' }
}

/**
 * Uses a new certificate once its files change. An invalid one is logged and the old one stays.
 * Returns a function that stops watching.
 */
export function watchCertificate(files: Files, { renew }: SecureListener, log: Log): () => void {
  const reload = (): void => {
    try {
      const identity = readServerIdentity(files)
      if (identity) renew(identity)
      log.info('the certificate was renewed')
    } catch (error) {
      // The two files change one after the other, so a mismatch is expected.
      log.warn({ reason: (error as Error).message }, 'the certificate was not renewed')
    }
  }
  const watched = [files.tlsCert, files.tlsKey].filter((file) => file !== undefined)
  for (const file of watched) {
    watchFile(file, { interval: pollIntervalMs, persistent: false }, reload)
  }
  return () => {
    for (const file of watched) unwatchFile(file, reload)
  }
}
