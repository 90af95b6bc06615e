import type { SandboxMessages } from './en.ts'

/** The messages of the page of the payment sandbox in German. */
export const de: SandboxMessages = {
  'ask.title': 'Zahlung bestätigen',
  'ask.lead': 'Ihre Bank möchte sicher sein, dass Sie es sind.',
  'ask.amount': 'Betrag',
  'ask.approve': 'Bestätigen',
  'ask.refuse': 'Ablehnen',
  'approved.title': 'Zahlung bestätigt',
  'approved.text': 'Vielen Dank. Ihre Zahlung war erfolgreich.',
  'declined.title': 'Zahlung abgelehnt',
  'declined.text':
    'Ihr Konto wurde nicht belastet. Sie können im Shop eine andere Karte verwenden.',
  'cancelled.title': 'Zahlung abgebrochen',
  'cancelled.text': 'Diese Zahlung wurde abgebrochen. Ihr Konto wurde nicht belastet.',
  'unknown.title': 'Seite nicht gefunden',
  'unknown.text': 'Diese Adresse ist falsch, oder die Zahlung ist längst abgeschlossen.',
  'failed.title': 'Das hat nicht funktioniert',
  'failed.text': 'Öffnen Sie die Seite gleich noch einmal.',
  'foreign.text':
    'Die Anfrage kam nicht von dieser Seite. Öffnen Sie sie noch einmal und entscheiden Sie dort.',
  return: 'Zurück zum Shop',
  close: 'Sie können diese Seite schließen.',
  sandbox: 'Dies ist eine Testbank: Es fließt kein Geld.',
}
