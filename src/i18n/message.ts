import type { english } from './en.ts'

/** The key of a message to clients. */
export type MessageKey = keyof typeof english

/** A message in no language yet: its key and the values of its `{placeholders}`. */
export interface Message {
  readonly key: MessageKey
  readonly values: Readonly<Record<string, string | number>>
}

/** All messages in one language. */
export type MessageTexts = Readonly<Record<MessageKey, string>>

/** Creates a message. */
export const createMessage = (key: MessageKey, values: Message['values'] = {}): Message => ({
  key,
  values,
})

/** Replaces the `{placeholders}` of a text; a missing value becomes the empty string. */
export const formatText = (text: string, values: Message['values']): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** Formats a message in the language of `texts`. */
export const formatMessage = ({ key, values }: Message, texts: MessageTexts): string =>
  formatText(texts[key], values)
