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

/** Formats a message in the language of `texts`; a missing value becomes the empty string. */
export const formatMessage = ({ key, values }: Message, texts: MessageTexts): string =>
  texts[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
