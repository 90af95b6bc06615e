import { english } from './en.ts'

/** The key of a message to clients. */
export type MessageKey = keyof typeof english

/** A message in no language yet: its key and the values of its `{placeholders}`. */
export interface Message {
  readonly key: MessageKey
  readonly values: Readonly<Record<string, string | number | Message>>
}

/** All messages in one language. */
export type MessageTexts = Readonly<Record<MessageKey, string>>

/** Creates a message. */
export const createMessage = (key: MessageKey, values: Message['values'] = {}): Message => ({
  key,
  values,
})

/** The word for a resource; its name in links, where the languages have none. */
export function resourceWord(name: string): Message | string {
  const key = `resource.${name}`
  return key in english ? createMessage(key as MessageKey) : name.replaceAll('_', ' ')
}

/** Replaces the `{placeholders}` of a text; a missing value becomes the empty string. */
export const formatText = (
  text: string,
  values: Readonly<Record<string, string | number>>,
): string => text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** Formats a message, and those among its values, in the language of `texts`. */
export function formatMessage({ key, values }: Message, texts: MessageTexts): string {
  const words = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? formatMessage(value, texts) : value,
  ])
  return formatText(texts[key], Object.fromEntries(words))
}
