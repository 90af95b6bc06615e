import { createMessage, type Message } from '#i18n/message.ts'
import { nameKey, requireDistinctNames } from '#shop/catalogue/products/named-values.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import { type ListedOption, valuesOf } from './option-list.ts'
import type { Options } from './options.ts'

/** An option of a parent after a change; `from` is its name before. */
export interface OptionChange {
  readonly name: string
  readonly from?: string | undefined
  readonly values?: readonly ValueChange[] | undefined
}

/** A value of an option after a change; `from` is the value before. */
type ValueChange = string | { readonly value: string; readonly from?: string | undefined }

/** What a change of the options of a parent makes of them, and of those of a variant. */
export interface OptionPlan {
  readonly listed: readonly ListedOption[]
  readonly apply: (options: Options) => Options
}

/** An option after a change, with what it makes of the options of a variant. */
interface PlannedOption {
  readonly listed: ListedOption
  readonly apply: (values: ReadonlyMap<string, string>) => string
}

/**
 * Plans a change of the options of a parent with these variants. An option that is left out goes; one without `from`
 * that no variant has is new, and all variants get its first value. Values that are left out stay, after the others.
 * Throws 422/4221 for an unknown or repeated name or value, and 400/4001 for a new option without a value.
 */
export function planOptions(
  before: readonly ListedOption[],
  variants: readonly Options[],
  changes: readonly OptionChange[],
): OptionPlan {
  const issues: FieldIssue[] = []
  const reject: Reject = (field, message, missing = false) =>
    issues.push({ field, message, missing })
  requireDistinctNames(
    'options',
    changes.map(({ name }) => name),
  )
  const known = new Map(before.map((option) => [nameKey(option.name), option]))
  const planned = changes.map((change, at) => {
    const path = `options[${at}]`
    const key = nameKey(change.from ?? change.name)
    const option = known.get(key)
    known.delete(key)
    if (option) return changeOption(option, change, variants, path, reject)
    if (change.from === undefined) return addOption(change, path, reject)
    reject(`${path}.from`, createMessage('field.unknown_option'))
    return { listed: listedAs(change.name, []), apply: () => '' }
  })
  if (issues.length > 0) throw fieldProblem(issues)
  return {
    listed: planned.map(({ listed }) => listed),
    apply: (options) => {
      const values = new Map(Object.entries(options).map(([name, value]) => [nameKey(name), value]))
      return Object.fromEntries(planned.map(({ listed, apply }) => [listed.name, apply(values)]))
    },
  }
}

type Reject = (field: string, message: Message, missing?: boolean) => void

const asPair = (change: ValueChange): Exclude<ValueChange, string> =>
  typeof change === 'string' ? { value: change } : change

function addOption(
  { name, values = [] }: OptionChange,
  path: string,
  reject: Reject,
): PlannedOption {
  const given = values.map((value) => asPair(value).value)
  const [first] = given
  if (first === undefined) reject(`${path}.values`, createMessage('field.required'), true)
  return { listed: listedAs(name, given), apply: () => first ?? '' }
}

/** An option with all these values, each once. */
function listedAs(name: string, given: readonly string[]): ListedOption {
  const values = new Map(given.map((value) => [textKey(value), value]))
  return { name, values: [...values.values()], kept: [...values.keys()] }
}

function changeOption(
  option: ListedOption,
  { name, values = [] }: OptionChange,
  variants: readonly Options[],
  path: string,
  reject: Reject,
): PlannedOption {
  const used = valuesOf(variants, option.name)
  const isKnown = (key: string) => used.has(key) || option.kept?.includes(key) === true
  const renamed = new Map<string, string>()
  for (const [at, change] of values.entries()) {
    const { value, from } = asPair(change)
    const key = textKey(from ?? value)
    const isUnknown = from !== undefined && !isKnown(key)
    if (isUnknown) reject(`${path}.values[${at}].from`, createMessage('field.unknown_value'))
    if (renamed.has(key)) reject(`${path}.values[${at}]`, createMessage('field.repeated_value'))
    renamed.set(key, value)
  }
  const left = option.values.filter((value) => !renamed.has(textKey(value)))
  const before = nameKey(option.name)
  return {
    listed: listedAs(name, [...renamed.values(), ...left]),
    apply: (own) => {
      const value = own.get(before) ?? ''
      return renamed.get(textKey(value)) ?? value
    },
  }
}
