import { createMessage, type Message } from '#i18n/message.ts'
import {
  amountCeilingMinor,
  fromDecimalText,
  fromMajor,
  toDecimalText,
  toMajor,
} from '#values/money.ts'
import type { FieldIssue } from '#values/problem.ts'

/** The currency that all amounts are in. */
interface Currency {
  /** ISO 4217. */
  readonly currency: string
  readonly currencyDigits: number
}

/** How amounts of minor units look outside. */
interface AmountCodec {
  readonly encode: (value: unknown) => unknown
  readonly decode: (input: unknown, field: string, issues: FieldIssue[]) => unknown
}

/** Amounts as numbers of major units. */
export function moneyCodec({ currencyDigits }: Currency): AmountCodec {
  const ceiling = toMajor(amountCeilingMinor, currencyDigits)
  return {
    encode: (value) => toMajor(value as number, currencyDigits),
    decode: (input, field, issues) => {
      const found =
        typeof input !== 'number'
          ? createMessage('field.number')
          : input < 0
            ? createMessage('field.minimum', { limit: 0 })
            : input >= ceiling
              ? createMessage('field.below', { limit: ceiling })
              : (fromMajor(input, currencyDigits) ??
                createMessage('field.decimals', { limit: currencyDigits }))
      if (typeof found !== 'number') issues.push({ field, message: found })
      return found
    },
  }
}

/** Amounts as objects of an exact decimal text and a currency, which is the shop's. */
export function amountCodec({ currency, currencyDigits }: Currency): AmountCodec {
  const read = amountReader(currencyDigits)
  return {
    encode: (value) => ({ amount: toDecimalText(value as number, currencyDigits), currency }),
    decode: (input, field, issues) => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        issues.push({ field, message: createMessage('field.object') })
        return undefined
      }
      const sent = input as Readonly<Record<string, unknown>>
      memberProblem(sent, currency, field, issues)
      const found = read(sent['amount'])
      if (typeof found === 'number') return found
      if ('amount' in sent) issues.push({ field: `${field}.amount`, message: found })
      return undefined
    },
  }
}

function memberProblem(
  sent: Readonly<Record<string, unknown>>,
  currency: string,
  field: string,
  issues: FieldIssue[],
): void {
  for (const name of ['amount', 'currency']) {
    if (!Object.hasOwn(sent, name)) {
      issues.push({
        field: `${field}.${name}`,
        message: createMessage('field.required'),
        missing: true,
      })
    }
  }
  for (const name of Object.keys(sent)) {
    if (name === 'currency' && sent[name] !== currency) {
      issues.push({
        field: `${field}.${name}`,
        message: createMessage('field.currency', { currency }),
      })
    } else if (name !== 'amount' && name !== 'currency') {
      issues.push({ field: `${field}.${name}`, message: createMessage('field.unknown') })
    }
  }
}

const amountReader =
  (digits: number) =>
  (input: unknown): number | Message => {
    if (typeof input !== 'string' || !/^-?\d{1,15}(\.\d{1,15})?$/.test(input)) {
      return createMessage('field.amount')
    }
    if (input.startsWith('-')) return createMessage('field.minimum', { limit: 0 })
    const minor = fromDecimalText(input, digits)
    if (minor === undefined) return createMessage('field.decimals', { limit: digits })
    const limit = toMajor(amountCeilingMinor, digits)
    return minor < amountCeilingMinor ? minor : createMessage('field.below', { limit })
  }
