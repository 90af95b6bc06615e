import { isIP } from 'node:net'
import { generate } from 'selfsigned'

/** A certificate and its private key, both in PEM. */
export interface SelfSignedCertificate {
  readonly certificate: string
  readonly key: string
}

/**
 * Makes a certificate for these names and addresses of a server, valid from and until these instants,
 * with a new P-256 key. It cannot sign another (RFC 5280 4.2.1.9). The first name is its common name.
 */
export async function createSelfSignedCertificate(
  names: readonly [string, ...string[]],
  validity: { readonly from: number; readonly until: number },
): Promise<SelfSignedCertificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(validity.from),
    notAfterDate: new Date(validity.until),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: names.map(alternativeName) },
    ],
  })
  return { certificate: `${cert}\n`, key }
}

const alternativeName = (name: string) =>
  isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const)
