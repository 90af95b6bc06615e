import { hash, randomBytes } from 'node:crypto'

/** Makes a secret of 256 random bits, as 43 characters. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** The hash that is stored instead of a secret, which is too random to need a salt or a slow hash. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')
