import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Allowance } from '#values/allowance.ts'
import { hourMs, minuteMs, secondMs } from '#values/instant.ts'
import { currencyDigits } from '#values/money.ts'
import { estimateBits, minKeyBits } from './estimated-bits.ts'

/** One environment variable: how its text is read and what it is worth when it is unset. */
export interface Setting<T> {
  readonly name: string
  /** One sentence for who sets it. */
  readonly about: string
  /** Completes the sentence "NAME must be …". */
  readonly form: string
  /** The default, as one would write it; empty where there is none. */
  readonly usual: string
  readonly fallback: T
  /** Never shown, not even when it is wrong. */
  readonly secret: boolean
  /** Undefined for a text that is not of the form. */
  readonly parse: (text: string) => T | undefined
}

/** Says everything that is wrong with the settings, one line per mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

type Form<T> = Pick<Setting<T>, 'form' | 'parse'>
interface About {
  readonly about: string
  readonly secret?: boolean
}

/** Declares a setting with a default; throws a TypeError for a default that is not of the form. */
export function setting<T>(
  name: string,
  { usual, about, secret = false }: About & { readonly usual: string },
  form: Form<T>,
): Setting<T> {
  const fallback = form.parse(usual)
  if (fallback === undefined) throw new TypeError(`the default of ${name} must be ${form.form}`)
  return { name, about, secret, usual, fallback, ...form }
}

/** Declares a setting that may stay unset. */
export const optional = <T>(
  name: string,
  { about, secret = false }: About,
  form: Form<T>,
): Setting<T | undefined> => ({ name, about, secret, usual: '', fallback: undefined, ...form })

/** A whole number between two limits, both included. */
export const wholeNumber = (least: number, most: number): Form<number> => ({
  form: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

/** One of a few words. */
export const oneOf = <const W extends string>(...words: readonly W[]): Form<W> => ({
  form: `one of: ${words.join(', ')}`,
  parse: (text) => words.find((word) => word === text),
})

/** `on` or `off`. */
export const onOrOff: Form<boolean> = {
  form: 'on or off',
  parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
}

const unitMs = { s: secondMs, m: minuteMs, h: hourMs }
const maxRequests = 1_000_000_000

/** A number of requests and a time of at most an hour, such as `100/60s`; or `off`. */
export const allowance: Form<Allowance | 'off'> = {
  form: 'requests/time such as 100/60s, 100/1m or 1000/1h (an hour at most), or off',
  parse: (text) => {
    if (text === 'off') return text
    const [, requests, count, unit] = /^(\d{1,10})\/(\d{1,4})([smh])$/.exec(text) ?? []
    const limit = Number(requests)
    const windowMs = Number(count) * unitMs[unit as keyof typeof unitMs]
    const isSane = limit >= 1 && limit <= maxRequests && windowMs >= 1 && windowMs <= hourMs
    return isSane ? { limit, windowMs } : undefined
  },
}

/** A text between two lengths, without control characters. */
export const textOf = (least: number, most: number): Form<string> => ({
  form: `a text of ${least} to ${most} characters`,
  parse: (text) =>
    text.length >= least && text.length <= most && !/\p{Cc}/u.test(text) ? text : undefined,
})

/** A text between two lengths that is worth at least so many bits, as `estimateBits` counts. */
export const secretOf = (least: number, most: number, minBits: number): Form<string> => {
  const { form, parse } = textOf(least, most)
  return {
    form: `${form} that cannot be guessed, such as \`openssl rand -base64 32\` prints`,
    parse: (text) => (estimateBits(text) < minBits ? undefined : parse(text)),
  }
}

const [minKeyLength, maxKeyLength] = [32, 1024]
const keyText = textOf(minKeyLength, maxKeyLength)

/** A key of this server. */
export const secretKey = secretOf(minKeyLength, maxKeyLength, minKeyBits)

/** Secret keys, separated by commas; `none` for none. */
export const secretKeys: Form<readonly string[]> = {
  form: 'none, or texts of 32 to 1024 characters, separated by commas',
  parse: (text) => {
    if (text === 'none') return []
    const keys = text.split(',').map((part) => part.trim())
    return keys.every((key) => keyText.parse(key) !== undefined) ? keys : undefined
  },
}

/** A currency that has minor units or is known to have none. */
export const currency: Form<string> = {
  form: 'a currency of ISO 4217, such as USD',
  parse: (text) => {
    try {
      currencyDigits(text)
      return text
    } catch {
      return undefined
    }
  },
}

/** The path of a file, made absolute. */
export const pemFile: Form<string> = {
  form: 'the path of a file in PEM',
  parse: (text) => (/\p{Cc}/u.test(text) ? undefined : resolve(text)),
}

/** An http or https address of a server, without a path; the slash at its end is dropped. */
export const origin: Form<string> = {
  form: 'an http or https address without a path, such as https://shop.example.com',
  parse: (text) => {
    const url = URL.parse(text)
    const plain = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
    return plain ? url.origin : undefined
  },
}

/** Origins of pages, separated by commas; `*` for all of them, `none` for none. */
export const origins: Form<'*' | readonly string[]> = {
  form: 'none, * or origins separated by commas, such as https://shop.example.com',
  parse: (text) => {
    if (text === '*') return text
    if (text === 'none') return []
    const read = text.split(',').map((part) => origin.parse(part.trim()))
    const known = read.filter((each) => each !== undefined)
    return known.length === read.length ? known : undefined
  },
}

/** Addresses and networks, separated by commas. */
export const proxies: Form<readonly string[]> = {
  form: 'loopback, addresses or networks separated by commas, such as 10.0.0.0/8',
  parse: (text) => {
    const parts = text.split(',').map((part) => part.trim())
    return parts.every(isNetwork) ? parts : undefined
  },
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (text === 'loopback' || rest.length > 0) return rest.length === 0
  return most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

type Settings = Readonly<Record<string, Setting<unknown>>>

/** What the settings are worth: the type of each is what its parser makes. */
export type ReadSettings<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

/** Something that is wrong with settings which are fine one by one. */
export interface Rule<S extends Settings> {
  readonly concerns: readonly (keyof S)[]
  /** The mistake as a line, or undefined. */
  readonly mistake: (read: ReadSettings<S>) => string | undefined
}

/** Reads every setting, an empty one as unset; throws a ConfigError that names all mistakes. */
export function readSettings<S extends Settings>(
  settings: S,
  rules: readonly Rule<S>[],
  env: Readonly<Record<string, string | undefined>>,
): ReadSettings<S> {
  const mistakes: string[] = []
  const wrong = new Set<keyof S>()
  const read = Object.fromEntries(
    Object.entries(settings).map(([key, { name, form, secret, fallback, parse }]) => {
      const text = env[name] ?? ''
      const value = text === '' ? fallback : parse(text)
      if (text !== '' && value === undefined) {
        wrong.add(key)
        mistakes.push(`${name} must be ${form}${secret ? '' : `, not ${JSON.stringify(text)}`}`)
      }
      return [key, value]
    }),
  ) as ReadSettings<S>
  for (const { concerns, mistake } of rules) {
    const line = concerns.some((key) => wrong.has(key)) ? undefined : mistake(read)
    if (line !== undefined) mistakes.push(line)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(read)
}

/** Writes a file in which every setting stands with its explanation, commented out. */
export function exampleOf(settings: Settings): string {
  const blocks = Object.values(settings).map(
    ({ name, about, form, usual }) => `# ${about}\n# It must be ${form}.\n#${name}=${usual}\n`,
  )
  return [
    '# Copy this file to .env and uncomment what you want to change. The environment wins over it.\n',
    ...blocks,
  ].join('\n')
}
