import type { MailMessages } from './en.ts'

/** The messages of mails in French. */
export const fr: MailMessages = {
  greeting: 'Bonjour {name},',
  greeting_unnamed: 'Bonjour,',
  'confirmation.subject': 'Commande {order} confirmée',
  'confirmation.title': 'Merci pour votre commande',
  'confirmation.text':
    'Nous avons bien reçu votre commande et la préparons. Nous vous écrirons dès son départ.',
  'shipped.subject': 'La commande {order} est en route',
  'shipped.title': 'Votre commande est en route',
  'shipped.text': 'Votre commande est partie de chez nous et arrive bientôt chez vous.',
  'shipped.track': 'Suivre le colis',
  'shipped.carrier': 'Transporteur',
  'shipped.number': 'Numéro de suivi',
  'part.subject': 'Une partie de la commande {order} est en route',
  'part.title': 'Une partie de votre commande est en route',
  'part.text': 'Ces articles sont partis de chez nous et arrivent bientôt chez vous.',
  'pickup.subject': 'La commande {order} est prête',
  'pickup.title': 'Votre commande est prête',
  'pickup.text': 'Vous pouvez venir chercher votre commande.',
  'refunded.subject': 'Remboursement de la commande {order}',
  'refunded.title': 'Votre remboursement est en route',
  'refunded.text':
    'Nous vous avons remboursé pour votre commande. Selon votre banque, le montant arrive sous quelques jours.',
  'refunded.amount': 'Remboursé pour cette commande',
  'cancelled.subject': 'La commande {order} a été annulée',
  'cancelled.title': 'Votre commande a été annulée',
  'cancelled.text':
    'Elle n’était pas encore payée, et un autre acheteur avait besoin des pièces qu’elle réservait. Vous n’avez rien payé. Vous pouvez commander à nouveau ce qui est en stock.',
  'displaced.subject': 'La commande {order} a été annulée',
  'displaced.title': 'Votre commande a été annulée',
  'displaced.text':
    'Elle n’était pas encore payée, et un autre acheteur avait besoin de la remise qu’elle réservait. Vous n’avez rien payé. Vous pouvez commander à nouveau, même sans la remise.',
  'return_requested.subject': 'Votre retour pour la commande {order}',
  'return_requested.title': 'Nous avons reçu votre demande',
  'return_requested.text':
    'Vous souhaitez retourner ces articles. Nous l’examinons et vous écrivons ; gardez-les jusque-là.',
  'return_approved.subject': 'Votre retour pour la commande {order} est accepté',
  'return_approved.title': 'Renvoyez-nous ces articles',
  'return_approved.text': 'Nous reprenons ces articles. Emballez-les bien et envoyez-les-nous.',
  'return_rejected.subject': 'Votre retour pour la commande {order}',
  'return_rejected.title': 'Nous ne pouvons pas reprendre ces articles',
  'return_rejected.text': 'Nous avons examiné votre demande et ne pouvons pas l’accepter.',
  'return_received.subject': 'Votre retour pour la commande {order} est arrivé',
  'return_received.title': 'Vos articles sont arrivés',
  'return_received.text': 'Ces articles sont de nouveau chez nous.',
  'withdrawal_confirmed.subject': 'Votre rétractation pour la commande {order}',
  'withdrawal_confirmed.title': 'Nous avons reçu votre rétractation',
  'withdrawal_confirmed.text':
    'Vous vous êtes rétracté du contrat pour ces articles. Ce message confirme ce que vous avez déclaré, et quand.',
  'withdrawal_confirmed.received': 'Reçue',
  'withdrawal_confirmed.by': 'Déclarée par',
  'return.reply': 'Notre réponse',
  'reset.subject': 'Choisissez un nouveau mot de passe',
  'reset.title': 'Choisissez un nouveau mot de passe',
  'reset.text':
    'Un nouveau mot de passe a été demandé pour votre compte chez {shop}. Si c’était vous, choisissez-le maintenant. Le lien ne sert qu’une fois, pendant une heure.',
  'reset.button': 'Choisir un mot de passe',
  'reset.ignore': 'Si ce n’était pas vous, ignorez ce message : votre mot de passe ne change pas.',
  'verify.subject': 'Confirmez votre adresse e-mail',
  'verify.title': 'Est-ce bien votre adresse ?',
  'verify.text':
    'Un compte a été créé chez {shop} avec votre adresse. Si c’est vous, confirmez-la : le compte recevra vos messages et montrera les commandes passées avec cette adresse. Si ce n’est pas vous, ne confirmez pas. Le lien est valable trois jours.',
  'verify.button': 'Confirmer l’adresse',
  'verify.disown':
    'Vous ne vous êtes pas inscrit chez {shop} ? Retirez ici votre adresse du compte :',
  'verify.ignore': 'Si vous n’avez pas de compte chez {shop}, ignorez ce message.',
  'moved.subject': 'Votre adresse e-mail a été modifiée',
  'moved.text':
    'L’adresse e-mail de votre compte chez {shop} a été modifiée le {time}. Ce message est envoyé à l’ancienne adresse. Si c’était vous, vous n’avez rien à faire.',
  'moved.protect':
    'Si ce n’était pas vous, connectez-vous avec votre nom d’utilisateur ou cette adresse et votre mot de passe. Choisissez un nouveau mot de passe, ce qui met fin à toutes les autres sessions, puis rétablissez votre adresse. Si vous ne pouvez pas vous connecter, contactez {shop}.',
  'moved.undo':
    'Si ce n’était pas vous, annulez la modification dans les 72 heures. Cela rétablit cette adresse et met fin à toutes les sessions, aux clés d’API et au mot de passe du compte ; vous choisirez ensuite un nouveau mot de passe.',
  'moved.button': 'Annuler la modification',
  'erasure.subject': 'Votre compte va être effacé',
  'erasure.text':
    'Votre compte chez {shop} et vos données personnelles seront effacés le {time} : quelqu’un l’a demandé, ou un programme qui agit pour vous ou pour {shop}. Si c’est ce que vous voulez, vous n’avez rien à faire.',
  'erasure.withdraw':
    'Sinon, choisissez un nouveau mot de passe par « mot de passe oublié », avec cette adresse : cela annule l’effacement et met fin à toutes les sessions et aux clés d’API. Ou connectez-vous et annulez-le.',
  link: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  order: 'Commande',
  date: 'Date',
  subtotal: 'Sous-total',
  discount: 'Remise',
  shipping: 'Livraison',
  tax: 'Taxes',
  tax_included: 'Taxes comprises',
  total: 'Total',
  address: 'Adresse de livraison',
  note: 'Votre remarque',
  footer: 'Envoyé par {shop} au sujet de votre commande ou de votre compte.',
}
