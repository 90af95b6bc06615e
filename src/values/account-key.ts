/** The form in which usernames and e-mail addresses are compared: two that differ in case are one. */
export const accountKey = (text: string): string => text.normalize('NFC').toLowerCase()
