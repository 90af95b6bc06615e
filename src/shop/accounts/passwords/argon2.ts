import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type * as NativeArgon2 from '@node-rs/argon2'

/** The cost of an argon2id hash (RFC 9106 3.1); `memoryCost` in KiB. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** An implementation of argon2id (RFC 9106) whose hashes are PHC strings. */
interface Argon2 {
  readonly hash: (password: string | Uint8Array, cost: PasswordCost) => Promise<string>
  /** Expects a hash that `isArgon2Hash`. */
  readonly verify: (hash: string, password: string) => Promise<boolean>
}

const saltBytes = 16
const tagBytes = 32
// The last character of each Base64 text has no bits beyond those of the bytes.
const phcPattern = new RegExp(
  [
    String.raw`^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})`,
    String.raw`\$([A-Za-z0-9+/]{21}[AQgw])\$([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048])$`,
  ].join(''),
)

interface ParsedHash {
  readonly cost: PasswordCost
  readonly salt: Buffer
  readonly tag: Buffer
}

function parseHash(hash: string): ParsedHash | undefined {
  const [, memory, time, lanes, salt = '', tag = ''] = phcPattern.exec(hash) ?? []
  const cost = { memoryCost: Number(memory), timeCost: Number(time), parallelism: Number(lanes) }
  const { memoryCost, timeCost, parallelism } = cost
  const isAllowed = timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
  if (!isAllowed) return undefined
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

/** True for an argon2id hash in PHC string format that can be verified. */
export const isArgon2Hash = (hash: string): boolean => parseHash(hash) !== undefined

const derive = promisify(argon2)

const deriveTag = (
  password: string | Uint8Array,
  nonce: Buffer,
  { memoryCost, timeCost, parallelism }: PasswordCost,
): Promise<Buffer> =>
  derive('argon2id', {
    message: password,
    nonce,
    memory: memoryCost,
    passes: timeCost,
    parallelism,
    tagLength: tagBytes,
  })

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Argon2id of `node:crypto`, half as fast as the native package. */
export const nodeArgon2: Argon2 = {
  hash: async (password, cost) => {
    const salt = randomBytes(saltBytes)
    const tag = await deriveTag(password, salt, cost)
    const { memoryCost, timeCost, parallelism } = cost
    const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`
    return `$argon2id$v=19$${costs}$${unpadded(salt)}$${unpadded(tag)}`
  },
  verify: async (hash, password) => {
    const parsed = parseHash(hash)
    if (!parsed) return false
    return timingSafeEqual(await deriveTag(password, parsed.salt, parsed.cost), parsed.tag)
  },
}

// The package declares its algorithms as a const enum, which does not exist at run time.
const argon2id = 2 as NonNullable<NativeArgon2.Options['algorithm']>

/** Argon2id of the native package; undefined where its binary is not installed. */
export const nativeArgon2 = loadNative()

function loadNative(): Argon2 | undefined {
  try {
    const native: typeof NativeArgon2 = createRequire(import.meta.url)('@node-rs/argon2')
    return {
      hash: (password, cost) => native.hash(password, { ...cost, algorithm: argon2id }),
      verify: (hash, password) => native.verify(hash, password),
    }
  } catch {
    return undefined
  }
}
