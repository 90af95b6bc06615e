import type { AccountPageMessages } from './en.ts'

/** The messages of the pages that the links in mails open in German. */
export const de: AccountPageMessages = {
  'reset.title': 'Neues Passwort wählen',
  'reset.lead': 'Es hat mindestens 8 Zeichen. Danach sind alle Geräte abgemeldet.',
  'reset.password': 'Neues Passwort',
  'reset.submit': 'Passwort speichern',
  'reset.done.title': 'Ihr Passwort ist geändert',
  'reset.done.text': 'Sie können sich jetzt damit anmelden.',
  'verify.title': 'Adresse bestätigen',
  'verify.lead': 'Möchten Sie die Nachrichten von {shop} an dieser Adresse erhalten?',
  'verify.submit': 'Bestätigen',
  'verify.done.title': 'Vielen Dank',
  'verify.done.text': 'Ihre Adresse ist bestätigt.',
  'gone.title': 'Dieser Link gilt nicht mehr',
  'gone.text': 'Er gilt nur einmal und nur für begrenzte Zeit. Fordern Sie eine neue Nachricht an.',
  'failed.title': 'Das hat nicht funktioniert',
  'failed.text': 'Versuchen Sie es gleich noch einmal.',
  close: 'Sie können diese Seite schließen.',
}
