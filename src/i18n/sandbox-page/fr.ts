import type { SandboxMessages } from './en.ts'

/** The messages of the page of the payment sandbox in French. */
export const fr: SandboxMessages = {
  'ask.title': 'Confirmez votre paiement',
  'ask.lead': 'Votre banque veut s’assurer que c’est bien vous.',
  'ask.amount': 'Montant',
  'ask.approve': 'Approuver',
  'ask.refuse': 'Refuser',
  'approved.title': 'Paiement approuvé',
  'approved.text': 'Merci. Votre paiement a été effectué.',
  'declined.title': 'Paiement refusé',
  'declined.text':
    'Vous n’avez pas été débité. Vous pouvez essayer une autre carte dans la boutique.',
  'cancelled.title': 'Paiement annulé',
  'cancelled.text': 'Ce paiement a été annulé. Vous n’avez pas été débité.',
  'unknown.title': 'Page introuvable',
  'unknown.text': 'Cette adresse est incorrecte, ou le paiement est terminé depuis longtemps.',
  'failed.title': 'Cela n’a pas fonctionné',
  'failed.text': 'Rouvrez la page dans un instant.',
  'foreign.text': 'La demande ne venait pas de cette page. Rouvrez-la et décidez-y.',
  return: 'Retour à la boutique',
  close: 'Vous pouvez fermer cette page.',
  sandbox: 'Ceci est une banque d’essai : aucun argent ne circule.',
}
