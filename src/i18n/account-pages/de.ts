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
  'verify.lead':
    'Haben Sie bei {shop} mit dieser Adresse ein Konto angelegt? Es erhält dann Ihre Nachrichten und zeigt die Bestellungen, die mit dieser Adresse aufgegeben wurden.',
  'verify.submit': 'Bestätigen',
  'proof.password': 'Passwort des Kontos',
  'proof.wrong': 'Es ist falsch.',
  'verify.done.title': 'Vielen Dank',
  'verify.done.text': 'Ihre Adresse ist bestätigt.',
  'disown.title': 'Haben Sie sich nicht angemeldet?',
  'disown.lead':
    'Jemand hat einem Konto bei {shop} diese Adresse gegeben. Das entfernt die Adresse aus dem Konto und beendet alles, was darin angelegt wurde: Sitzungen, API-Schlüssel und Webhooks.',
  'disown.submit': 'Ich habe mich nicht angemeldet',
  'disown.done.title': 'Ihre Adresse ist frei',
  'disown.done.text': 'Kein Konto bei {shop} verwendet sie mehr.',
  'undo.title': 'Änderung Ihrer Adresse rückgängig machen',
  'undo.lead':
    'Ihr Konto bei {shop} erhält diese Adresse zurück. Alle Sitzungen, API-Schlüssel und das Passwort enden; danach wählen Sie ein neues Passwort.',
  'undo.submit': 'Änderung rückgängig machen',
  'undo.done.title': 'Ihre Adresse ist wiederhergestellt',
  'undo.done.text': 'Fordern Sie jetzt mit dieser Adresse ein neues Passwort an.',
  'gone.title': 'Dieser Link gilt nicht mehr',
  'gone.text': 'Er gilt nur einmal und nur für begrenzte Zeit. Fordern Sie eine neue Nachricht an.',
  'failed.title': 'Das hat nicht funktioniert',
  'failed.text': 'Versuchen Sie es gleich noch einmal.',
  close: 'Sie können diese Seite schließen.',
}
