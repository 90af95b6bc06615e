import type { MailMessages } from './en.ts'

/** The messages of mails in German. */
export const de: MailMessages = {
  greeting: 'Hallo {name},',
  greeting_unnamed: 'Hallo,',
  'confirmation.subject': 'Bestellung {order} ist bestätigt',
  'confirmation.title': 'Danke für Ihre Bestellung',
  'confirmation.text':
    'Wir haben Ihre Bestellung erhalten und bereiten sie vor. Sobald sie unterwegs ist, schreiben wir Ihnen.',
  'shipped.subject': 'Bestellung {order} ist unterwegs',
  'shipped.title': 'Ihre Bestellung ist unterwegs',
  'shipped.text': 'Ihre Bestellung hat unser Haus verlassen und ist auf dem Weg zu Ihnen.',
  'shipped.track': 'Paket verfolgen',
  'shipped.carrier': 'Versand durch',
  'shipped.number': 'Sendungsnummer',
  'part.subject': 'Ein Teil der Bestellung {order} ist unterwegs',
  'part.title': 'Ein Teil Ihrer Bestellung ist unterwegs',
  'part.text': 'Diese Stücke haben unser Haus verlassen und sind auf dem Weg zu Ihnen.',
  'pickup.subject': 'Bestellung {order} liegt bereit',
  'pickup.title': 'Ihre Bestellung liegt bereit',
  'pickup.text': 'Sie können Ihre Bestellung jetzt abholen.',
  'refunded.subject': 'Erstattung zu Bestellung {order}',
  'refunded.title': 'Ihr Geld ist auf dem Weg zurück',
  'refunded.text':
    'Wir haben Ihnen Geld für Ihre Bestellung erstattet. Je nach Bank dauert es einige Tage, bis es ankommt.',
  'refunded.amount': 'Für diese Bestellung erstattet',
  'cancelled.subject': 'Bestellung {order} wurde storniert',
  'cancelled.title': 'Ihre Bestellung wurde storniert',
  'cancelled.text':
    'Sie war noch nicht bezahlt, und ein anderer Käufer brauchte Stücke, die sie reserviert hatte. Sie haben nichts bezahlt. Was vorrätig ist, können Sie erneut bestellen.',
  'displaced.subject': 'Bestellung {order} wurde storniert',
  'displaced.title': 'Ihre Bestellung wurde storniert',
  'displaced.text':
    'Sie war noch nicht bezahlt, und ein anderer Käufer brauchte den Rabatt, den sie reserviert hatte. Sie haben nichts bezahlt. Sie können erneut bestellen, auch ohne den Rabatt.',
  'return_requested.subject': 'Ihre Rücksendung zu Bestellung {order}',
  'return_requested.title': 'Wir haben Ihre Anfrage',
  'return_requested.text':
    'Sie möchten diese Stücke zurücksenden. Wir sehen uns das an und schreiben Ihnen; behalten Sie sie bitte so lange.',
  'return_approved.subject': 'Ihre Rücksendung zu Bestellung {order} ist angenommen',
  'return_approved.title': 'Bitte senden Sie diese Stücke zurück',
  'return_approved.text':
    'Wir nehmen diese Stücke zurück. Verpacken Sie sie gut und senden Sie sie an uns.',
  'return_rejected.subject': 'Ihre Rücksendung zu Bestellung {order}',
  'return_rejected.title': 'Wir können diese Stücke nicht zurücknehmen',
  'return_rejected.text': 'Wir haben Ihre Anfrage geprüft und können sie nicht annehmen.',
  'return_received.subject': 'Ihre Rücksendung zu Bestellung {order} ist da',
  'return_received.title': 'Ihre Rücksendung ist angekommen',
  'return_received.text': 'Diese Stücke sind wieder bei uns.',
  'withdrawal_confirmed.subject': 'Ihr Widerruf zu Bestellung {order}',
  'withdrawal_confirmed.title': 'Ihr Widerruf ist eingegangen',
  'withdrawal_confirmed.text':
    'Sie haben den Vertrag über diese Stücke widerrufen. Diese Mail bestätigt, was Sie erklärt haben und wann.',
  'withdrawal_confirmed.received': 'Eingegangen',
  'withdrawal_confirmed.by': 'Erklärt von',
  'return.reply': 'Unsere Antwort',
  'reset.subject': 'Neues Passwort wählen',
  'reset.title': 'Neues Passwort wählen',
  'reset.text':
    'Für Ihr Konto bei {shop} wurde ein neues Passwort angefordert. Wenn Sie das waren, wählen Sie jetzt eines. Der Link gilt einmal und eine Stunde lang.',
  'reset.button': 'Passwort wählen',
  'reset.ignore':
    'Wenn Sie es nicht waren, können Sie diese Nachricht ignorieren: Ihr Passwort bleibt, wie es ist.',
  'verify.subject': 'E-Mail-Adresse bestätigen',
  'verify.title': 'Ist das Ihre Adresse?',
  'verify.text':
    'Mit Ihrer Adresse wurde bei {shop} ein Konto angelegt. Wenn Sie das waren, bestätigen Sie die Adresse: Das Konto erhält dann Ihre Nachrichten und zeigt die Bestellungen, die mit dieser Adresse aufgegeben wurden. Wenn Sie es nicht waren, bestätigen Sie nicht. Der Link gilt drei Tage.',
  'verify.button': 'Adresse bestätigen',
  'verify.disown':
    'Sie haben sich nicht bei {shop} angemeldet? Beenden Sie hier die Verwendung Ihrer Adresse:',
  'verify.ignore': 'Wenn Sie kein Konto bei {shop} haben, ignorieren Sie diese Nachricht.',
  'moved.subject': 'Ihre E-Mail-Adresse wurde geändert',
  'moved.text':
    'Die E-Mail-Adresse Ihres Kontos bei {shop} wurde am {time} geändert. Diese Nachricht geht an die bisherige Adresse. Wenn Sie das waren, ist nichts zu tun.',
  'moved.protect':
    'Wenn Sie es nicht waren, melden Sie sich mit Ihrem Benutzernamen oder dieser Adresse und Ihrem Passwort an. Wählen Sie ein neues Passwort, das alle anderen Sitzungen beendet, und tragen Sie Ihre Adresse wieder ein. Wenn die Anmeldung nicht gelingt, wenden Sie sich an {shop}.',
  'moved.undo':
    'Wenn Sie es nicht waren, machen Sie die Änderung innerhalb von 72 Stunden rückgängig. Das stellt diese Adresse wieder her und beendet alle Sitzungen, API-Schlüssel und das Passwort des Kontos; danach wählen Sie ein neues Passwort.',
  'moved.button': 'Änderung rückgängig machen',
  'erasure.subject': 'Ihr Konto soll gelöscht werden',
  'erasure.text':
    'Ihr Konto bei {shop} und Ihre persönlichen Daten werden am {time} gelöscht: Jemand hat das verlangt, oder ein Programm, das für Sie oder für {shop} handelt. Wenn Sie das wollen, ist nichts zu tun.',
  'erasure.withdraw':
    'Wenn nicht, wählen Sie über „Passwort vergessen“ mit dieser Adresse ein neues Passwort: Das nimmt die Löschung zurück und beendet alle Sitzungen und API-Schlüssel. Oder melden Sie sich an und nehmen Sie sie dort zurück.',
  link: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  order: 'Bestellung',
  date: 'Datum',
  subtotal: 'Zwischensumme',
  discount: 'Rabatt',
  shipping: 'Versand',
  tax: 'Steuern',
  tax_included: 'Enthaltene Steuern',
  total: 'Gesamtbetrag',
  address: 'Lieferadresse',
  note: 'Ihre Anmerkung',
  footer: 'Gesendet von {shop} wegen Ihrer Bestellung oder Ihres Kontos dort.',
}
