import type { english } from './en.ts'

/** Names one sentence that a person may be shown. */
export type MessageKey = keyof typeof english

/** A sentence still without its language: its key, and the values of its `{placeholders}`. */
export interface Message {
  readonly key: MessageKey
  readonly values: Readonly<Record<string, string | number>>
}

/** Every sentence in one language. */
export type MessageTexts = Readonly<Record<MessageKey, string>>

/** Names a sentence and its values. */
export const createMessage = (key: MessageKey, values: Message['values'] = {}): Message => ({
  key,
  values,
})

/** Writes a sentence in the language of `sentences`. */
export const formatMessage = ({ key, values }: Message, sentences: MessageTexts): string =>
  sentences[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
