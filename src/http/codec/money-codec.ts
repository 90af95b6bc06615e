import { createMessage, type Message } from '#i18n/message.ts'
import {
  fromDecimalText,
  fromMajor,
  maximumAmount,
  maximumMinor,
  toDecimalText,
  toMajor,
} from '#values/money.ts'
import type { FieldIssue } from '#values/problem.ts'
import type { Codec, CodecOptions } from './value-codec.ts'

/** Converts between minor units and a JSON number of major units; the version 1 form. */
export function moneyCodec({ currencyDigits }: CodecOptions): Codec {
  return {
    encode: (value) => toMajor(value as number, currencyDigits),
    decode: (input, field, issues) => {
      const result =
        typeof input !== 'number'
          ? createMessage('field.money')
          : input < 0
            ? createMessage('field.minimum', { limit: 0 })
            : input > maximumAmount
              ? createMessage('field.maximum', { limit: maximumAmount })
              : (fromMajor(input, currencyDigits) ??
                createMessage('field.decimals', { limit: currencyDigits }))
      if (typeof result !== 'number') issues.push({ field, message: result })
      return result
    },
  }
}

/**
 * Converts between minor units and an object of an exact decimal text and the currency; the form
 * from version 2 on. Another currency is an error.
 */
export function amountCodec({ currency, currencyDigits }: CodecOptions): Codec {
  const parse = amountParser(currencyDigits)
  return {
    encode: (value) => ({ amount: toDecimalText(value as number, currencyDigits), currency }),
    decode: (input, field, issues) => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        issues.push({ field, message: createMessage('field.object') })
        return undefined
      }
      const amount = input as Readonly<Record<string, unknown>>
      checkMembers(amount, currency, field, issues)
      const result = parse(amount['amount'])
      if (typeof result === 'number') return result
      if ('amount' in amount) issues.push({ field: `${field}.amount`, message: result })
      return undefined
    },
  }
}

function checkMembers(
  amount: Readonly<Record<string, unknown>>,
  currency: string,
  field: string,
  issues: FieldIssue[],
): void {
  for (const name of ['amount', 'currency']) {
    if (!Object.hasOwn(amount, name)) {
      issues.push({
        field: `${field}.${name}`,
        message: createMessage('field.required'),
        missing: true,
      })
    }
  }
  for (const name of Object.keys(amount)) {
    if (name === 'currency' && amount[name] !== currency) {
      issues.push({
        field: `${field}.${name}`,
        message: createMessage('field.currency', { currency }),
      })
    } else if (name !== 'amount' && name !== 'currency') {
      issues.push({ field: `${field}.${name}`, message: createMessage('field.unknown') })
    }
  }
}

const amountParser =
  (digits: number) =>
  (input: unknown): number | Message => {
    if (typeof input !== 'string' || !/^-?\d{1,15}(\.\d{1,15})?$/.test(input)) {
      return createMessage('field.amount')
    }
    if (input.startsWith('-')) return createMessage('field.minimum', { limit: 0 })
    const minor = fromDecimalText(input, digits)
    if (minor === undefined) return createMessage('field.decimals', { limit: digits })
    return minor <= maximumMinor(digits)
      ? minor
      : createMessage('field.maximum', { limit: maximumAmount })
  }
