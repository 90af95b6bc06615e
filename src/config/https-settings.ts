import { oneOf, optional, pemFile, proxies, setting, wholeNumber } from './setting.ts'

/** The settings of HTTPS and of the proxies before the server. */
export const httpsSettings = {
  trustProxy: optional(
    'TRUST_PROXY',
    {
      description:
        'The proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. Requires BASE_URL. Default: none.',
    },
    proxies,
  ),
  tlsCert: optional(
    'TLS_CERT',
    {
      description:
        'The TLS certificate of the server, followed by its intermediate certificates. `npm run cert` creates one for this machine. Default: no HTTPS.',
    },
    pemFile,
  ),
  tlsKey: optional(
    'TLS_KEY',
    { description: 'The private key of TLS_CERT, without a passphrase.' },
    pemFile,
  ),
  tlsPort: setting(
    'TLS_PORT',
    { defaultText: '3443', description: 'The port for HTTPS; 0 chooses a free port.' },
    wholeNumber(0, 65_535),
  ),
  plainHttp: optional(
    'PLAIN_HTTP',
    {
      description:
        'The clients that are served over plain HTTP: those on this machine (loopback), none (redirect) or all (allow). Other clients are redirected to HTTPS with 301. Credentials from other machines always require HTTPS. Default: loopback.',
    },
    oneOf('loopback', 'redirect', 'allow'),
  ),
}
