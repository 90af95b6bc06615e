import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type Allowance, parseAllowance } from '#values/allowance.ts'
import { digitsByCurrency } from '#values/currencies.ts'
import { fromIsoText, type Instant } from '#values/instant.ts'
import { isLoopbackName } from '#values/loopback-name.ts'
import { estimateBits, minKeyBits } from './estimated-bits.ts'

/** One environment variable: its parser, its default and its description. */
export interface Setting<T> {
  readonly name: string
  /** One sentence for operators; written to `.env.example`. */
  readonly description: string
  /** Completes the sentence "NAME must be …". */
  readonly expected: string
  /** The default as text; empty without a default. */
  readonly defaultText: string
  readonly defaultValue: T
  /** True when error messages must not show the value. */
  readonly secret: boolean
  /** Undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined
}

/** Lists every invalid setting, one line per mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

type Format<T> = Pick<Setting<T>, 'expected' | 'parse'>

interface SettingOptions {
  readonly description: string
  readonly secret?: boolean
}

/** Declares a setting with a default. Throws a TypeError for an invalid default. */
export function setting<T>(
  name: string,
  { defaultText, description, secret = false }: SettingOptions & { readonly defaultText: string },
  format: Format<T>,
): Setting<T> {
  const defaultValue = format.parse(defaultText)
  if (defaultValue === undefined)
    throw new TypeError(`the default of ${name} must be ${format.expected}`)
  return { name, description, secret, defaultText, defaultValue, ...format }
}

/** Declares a setting without a default. */
export const optional = <T>(
  name: string,
  { description, secret = false }: SettingOptions,
  format: Format<T>,
): Setting<T | undefined> => ({
  name,
  description,
  secret,
  defaultText: '',
  defaultValue: undefined,
  ...format,
})

/** A whole number from `min` to `max`, both included. */
export const wholeNumber = (min: number, max: number): Format<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  parse: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  },
})

/** A decimal number from 0 to 1. */
export const fraction: Format<number> = {
  expected: 'a number from 0 to 1, such as 0.25',
  parse: (text) => (/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(text) ? Number(text) : undefined),
}

/** One of a few words. */
export const oneOf = <const W extends string>(...words: readonly W[]): Format<W> => ({
  expected: `one of: ${words.join(', ')}`,
  parse: (text) => words.find((word) => word === text),
})

/** `on` or `off`. */
export const onOrOff: Format<boolean> = {
  expected: 'on or off',
  parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
}

/** A number of requests per time window of at most one hour, such as `100/60s`; or `off`. */
export const allowance: Format<Allowance | 'off'> = {
  expected: 'REQUESTS/TIME, such as 100/60s, 100/1m or 1000/1h (at most one hour), or off',
  parse: parseAllowance,
}

/** A day, as the instant of its start in UTC. */
export const day: Format<Instant> = {
  expected: 'a date, such as 2030-01-31',
  parse: (text) => fromIsoText(`${text}T00:00:00Z`),
}

/** A text of `min` to `max` UTF-16 code units without control characters. */
export const textOfLength = (min: number, max: number): Format<string> => ({
  expected: `${min} to ${max} characters long`,
  parse: (text) =>
    text.length >= min && text.length <= max && !/\p{Cc}/u.test(text) ? text : undefined,
})

/** A text of `min` to `max` UTF-16 code units that `estimateBits` rates at `minBits` or more. */
export const strongText = (min: number, max: number, minBits: number): Format<string> => {
  const { expected, parse } = textOfLength(min, max)
  return {
    expected: `${expected} and hard to guess, such as the output of \`openssl rand -base64 32\``,
    parse: (text) => (estimateBits(text) < minBits ? undefined : parse(text)),
  }
}

const [minKeyLength, maxKeyLength] = [32, 1024]
const keyText = textOfLength(minKeyLength, maxKeyLength)

/** A secret key of the server. */
export const secretKey = strongText(minKeyLength, maxKeyLength, minKeyBits)

/** Secret keys separated by commas, or `none`. Guessable keys are accepted here. */
export const secretKeys: Format<readonly string[]> = {
  expected: 'none, or keys of 32 to 1024 characters separated by commas',
  parse: (text) => {
    if (text === 'none') return []
    const keys = text.split(',').map((part) => part.trim())
    return keys.every((key) => keyText.parse(key) !== undefined) ? keys : undefined
  },
}

/** A time zone of the IANA database that the runtime knows; not an offset. */
export const timeZone: Format<string> = {
  expected: 'a time zone of the IANA database, such as Europe/Berlin',
  parse: (text) => {
    if (!/^[A-Za-z]/.test(text)) return undefined
    try {
      new Intl.DateTimeFormat('en', { timeZone: text })
      return text
    } catch {
      return undefined
    }
  },
}

/** The ISO 4217 code of a currency in use. */
export const currency: Format<string> = {
  expected: 'the ISO 4217 code of a currency in use, such as USD',
  parse: (text) => (digitsByCurrency.has(text) ? text : undefined),
}

/** The path of a PEM file, made absolute. */
export const pemFile: Format<string> = {
  expected: 'the path of a PEM file',
  parse: (text) => (/\p{Cc}/u.test(text) ? undefined : resolve(text)),
}

/** An http or https URL without a path; a trailing slash is dropped. */
export const origin: Format<string> = {
  expected: 'an http or https URL without a path, such as https://shop.example.com',
  parse: (text) => {
    const url = URL.parse(text)
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
    return isOrigin ? url.origin : undefined
  },
}

/** An http or https URL; one with credentials would be in the log of every failure. */
export const httpUrl: Format<string> = {
  expected: 'an http or https URL without a username and a password',
  parse: (text) => {
    const { protocol = '', username, password } = URL.parse(text) ?? {}
    return /^https?:$/.test(protocol) && !username && !password ? text : undefined
  },
}

/** An http or https URL that names a product. */
export const pageTemplate: Format<string> = {
  expected: 'an http or https URL with {handle} or {id}, such as https://shop.example/p/{handle}',
  parse: (text) => (/\{(?:handle|id)\}/.test(text) ? httpUrl.parse(text) && text : undefined),
}

/** An https URL without a path; http only for this machine. */
export const secureOrigin: Format<string> = {
  expected: 'an https URL without a path, such as https://api.example.com; http for loopback only',
  parse: (text) => {
    const given = origin.parse(text)
    const url = given === undefined ? null : URL.parse(given)
    return url?.protocol === 'https:' || isLoopbackName(url?.hostname ?? '') ? given : undefined
  },
}

/** A visible text of up to 255 characters that begins with one of these prefixes. */
export const prefixedText = (...prefixes: readonly string[]): Format<string> => ({
  expected: `8 to 255 characters without spaces that begin with ${prefixes.join(' or ')}`,
  parse: (text) =>
    /^[!-~]{8,255}$/.test(text) && prefixes.some((prefix) => text.startsWith(prefix))
      ? text
      : undefined,
})

/** Web origins separated by commas; `*` for all, `none` for none. */
export const origins: Format<'*' | readonly string[]> = {
  expected: 'none, *, or origins separated by commas, such as https://shop.example.com',
  parse: (text) => {
    if (text === '*') return text
    if (text === 'none') return []
    const read = text.split(',').map((part) => origin.parse(part.trim()))
    const valid = read.filter((each) => each !== undefined)
    return valid.length === read.length ? valid : undefined
  },
}

/** IP addresses and networks separated by commas; `loopback` names the loopback addresses. */
export const proxies: Format<readonly string[]> = {
  expected: 'loopback, IP addresses or networks, separated by commas, such as 10.0.0.0/8',
  parse: (text) => {
    const parts = text.split(',').map((part) => part.trim())
    return parts.every(isNetwork) ? parts : undefined
  },
}

/** IP addresses and networks separated by commas; `none` for none. */
export const networks: Format<readonly string[]> = {
  expected: 'none, or IP addresses or networks separated by commas, such as 10.0.0.0/8',
  parse: (text) => {
    if (text === 'none') return []
    const parts = text.split(',').map((part) => part.trim())
    return parts.every((part) => part !== 'loopback' && isNetwork(part)) ? parts : undefined
  },
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (text === 'loopback' || rest.length > 0) return rest.length === 0
  return max > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max))
}

type Settings = Readonly<Record<string, Setting<unknown>>>

/** The values of settings; the type of each is the result of its parser. */
export type ReadSettings<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

/** A check across several settings. */
export interface Rule<S extends Settings> {
  /** The check is skipped when one of these settings is invalid. */
  readonly keys: readonly (keyof S)[]
  /** Returns the error message, or undefined when the settings are valid. */
  readonly mistake: (read: ReadSettings<S>) => string | undefined
}

/**
 * Reads all settings; an empty variable counts as unset. Throws a ConfigError that lists every
 * mistake.
 */
export function readSettings<S extends Settings>(
  settings: S,
  rules: readonly Rule<S>[],
  env: Readonly<Record<string, string | undefined>>,
): ReadSettings<S> {
  const mistakes: string[] = []
  const invalid = new Set<keyof S>()
  const read = Object.fromEntries(
    Object.entries(settings).map(([key, { name, expected, secret, defaultValue, parse }]) => {
      const text = env[name] ?? ''
      const value = text === '' ? defaultValue : parse(text)
      if (text !== '' && value === undefined) {
        invalid.add(key)
        mistakes.push(`${name} must be ${expected}${secret ? '' : `, not ${quote(text)}`}`)
      }
      return [key, value]
    }),
  ) as ReadSettings<S>
  for (const { keys, mistake } of rules) {
    const line = keys.some((key) => invalid.has(key)) ? undefined : mistake(read)
    if (line !== undefined) mistakes.push(line)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(read)
}

/** Quotes a value without the credentials of a URL. */
const quote = (text: string): string =>
  JSON.stringify(text.replace(/(?<=:\/\/)[^/?#]*(?=@)/, '***'))

/** Returns the text of an environment file with every setting described and commented out. */
export function formatExample(settings: readonly Setting<unknown>[]): string {
  const blocks = settings.map(
    ({ name, description, expected, defaultText }) =>
      `# ${description}\n# Must be ${expected}.\n#${name}=${defaultText}\n`,
  )
  return [
    '# Copy this file to .env and uncomment the settings to change. Environment variables take precedence.\n',
    ...blocks,
  ].join('\n')
}
