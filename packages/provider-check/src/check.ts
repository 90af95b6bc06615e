import type { CheckSubject } from './subject.ts'

/** A rule of the provider interface. */
export interface Check {
  /** The rule, as a sentence. */
  readonly name: string
  /** What the subject lacks for it; undefined if nothing. */
  readonly lacks?: (subject: CheckSubject) => string | undefined
  /** Throws where the provider breaks the rule. */
  readonly run: (subject: CheckSubject) => Promise<void>
}

/** Skips a check of a subject without these members. */
export const needs =
  (...members: readonly (keyof CheckSubject)[]) =>
  (subject: CheckSubject): string | undefined =>
    members.find((member) => subject[member] === undefined)

/** Skips a check of a subject without these tokens, or without anybody who decides. */
export const needsToken =
  (name: 'later' | 'action') =>
  (subject: CheckSubject): string | undefined =>
    subject.tokens[name] === undefined ? `tokens.${name}` : needs('decide')(subject)
