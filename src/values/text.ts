/** True for text that both databases store as it is: well-formed, and without NUL. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
