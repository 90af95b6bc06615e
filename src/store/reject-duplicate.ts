import type { MessageKey } from '#i18n/message.ts'
import { problem } from '#values/problem.ts'
import { isUniqueViolation } from './errors.ts'

/** The message for a duplicate of some columns; that of any other duplicate is given apart. */
interface DuplicateOf {
  readonly columns: readonly string[]
  readonly key: MessageKey
}

/** Waits for a write; throws 409/4092 with the message when it violates a unique index. */
export async function rejectDuplicate<T>(
  write: Promise<T>,
  key: MessageKey,
  specials: readonly DuplicateOf[] = [],
): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const special = specials.find(({ columns }) => isUniqueViolation(error, ...columns))
    throw problem('4092', special?.key ?? key)
  }
}
