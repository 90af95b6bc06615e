import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { writeFileAtomically } from '#store/write-file.ts'
import { dayMs, hourMs } from '#values/instant.ts'
import { createSelfSignedCertificate } from './self-signed.ts'

/** Where a certificate and its private key are kept. */
export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

// The longest validity that browsers accept of a certificate.
const lastingMs = 397 * dayMs
const renewBeforeMs = 30 * dayMs
// The clock of a client may be behind.
const backMs = hourMs

/**
 * Writes a new certificate for these names, with a key that only this user may read, unless the
 * existing one covers all of them for another 30 days. Returns when the certificate expires.
 */
export async function ensureCertificate(
  files: CertificateFiles,
  names: readonly [string, ...string[]],
  { now, renew }: { readonly now: number; readonly renew: boolean },
): Promise<{ readonly isNew: boolean; readonly until: number }> {
  const kept = renew ? undefined : readKept(files)
  if (kept && kept.validToDate.getTime() - now > renewBeforeMs && covers(kept, names)) {
    return { isNew: false, until: kept.validToDate.getTime() }
  }
  const until = Math.floor((now + lastingMs) / 1000) * 1000
  const made = await createSelfSignedCertificate(names, { from: now - backMs, until })
  await writeFileAtomically(files.key, made.key)
  await writeFileAtomically(files.certificate, made.certificate, { mode: 0o644 })
  return { isNew: true, until }
}

const covers = (certificate: X509Certificate, names: readonly string[]): boolean =>
  names.every((name) =>
    isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name),
  )

/** The existing certificate; undefined without it or its key. */
function readKept(files: CertificateFiles): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(readFileSync(files.certificate))
    const isWhole = certificate.checkPrivateKey(createPrivateKey(readFileSync(files.key)))
    return isWhole ? certificate : undefined
  } catch {
    return undefined
  }
}
