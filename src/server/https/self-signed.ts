import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import {
  bitString,
  integer,
  moment,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  tagged,
  taggedBytes,
  truth,
  utf8String,
} from './der.ts'

/** A certificate and its private key, both in PEM. */
export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

/** Names in the words of X.509 (RFC 5280 4.2, RFC 5480, RFC 5758). */
const named = {
  commonName: objectIdentifier('2.5.4.3'),
  ecdsaWithSha256: objectIdentifier('1.2.840.10045.4.3.2'),
  subjectKeyIdentifier: objectIdentifier('2.5.29.14'),
  keyUsage: objectIdentifier('2.5.29.15'),
  subjectAltName: objectIdentifier('2.5.29.17'),
  basicConstraints: objectIdentifier('2.5.29.19'),
  extendedKeyUsage: objectIdentifier('2.5.29.37'),
  serverAuth: objectIdentifier('1.3.6.1.5.5.7.3.1'),
}
const version3 = tagged(0, integer(Buffer.from([2])))
const digitalSignature = bitString(Buffer.from([0x80]), 7)

/**
 * Makes a certificate that vouches for these names and addresses of a server and for nothing else:
 * it can sign no other. The first name is also the common one.
 */
export function makeSelfSigned(
  names: readonly [string, ...string[]],
  validity: { readonly from: number; readonly until: number },
): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const name = sequence(setOf(sequence(named.commonName, utf8String(names[0]))))
  const algorithm = sequence(named.ecdsaWithSha256)
  const signed = sequence(
    version3,
    serialNumber(),
    algorithm,
    name,
    sequence(moment(validity.from), moment(validity.until)),
    name,
    keyInfo,
    tagged(3, sequence(...extensions(names, keyInfo))),
  )
  const signature = bitString(sign('sha256', signed, privateKey))
  const certificate = sequence(signed, algorithm, signature).toString('base64')
  const lines = certificate.match(/.{1,64}/g) ?? []
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----\n'].join(
      '\n',
    ),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** Sixteen bytes of chance that begin with a positive number (RFC 5280 4.1.2.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return integer(bytes)
}

function extensions(names: readonly string[], keyInfo: Buffer): readonly Buffer[] {
  const keyName = createHash('sha256').update(keyInfo).digest().subarray(0, 20)
  const list: readonly (readonly [Buffer, boolean, Buffer])[] = [
    [named.basicConstraints, true, sequence()],
    [named.keyUsage, true, digitalSignature],
    [named.extendedKeyUsage, false, sequence(named.serverAuth)],
    [named.subjectAltName, false, sequence(...names.map(alternativeName))],
    [named.subjectKeyIdentifier, false, octetString(keyName)],
  ]
  return list.map(([name, isCritical, value]) =>
    sequence(name, ...(isCritical ? [truth] : []), octetString(value)),
  )
}

const alternativeName = (name: string): Buffer =>
  isIP(name) === 0 ? taggedBytes(2, Buffer.from(name)) : taggedBytes(7, addressBytes(name))

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // The only form of IPv6 left then is groups with one gap at most.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = plain
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = plain.includes('::') ? [...before, ...zeros, ...after] : before
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
