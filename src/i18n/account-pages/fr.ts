import type { AccountPageMessages } from './en.ts'

/** The messages of the pages that the links in mails open in French. */
export const fr: AccountPageMessages = {
  'reset.title': 'Choisissez un nouveau mot de passe',
  'reset.lead': 'Il compte au moins 8 caractères. Tous les appareils sont ensuite déconnectés.',
  'reset.password': 'Nouveau mot de passe',
  'reset.submit': 'Enregistrer le mot de passe',
  'reset.done.title': 'Votre mot de passe est changé',
  'reset.done.text': 'Vous pouvez vous connecter avec dès maintenant.',
  'verify.title': 'Confirmez votre adresse',
  'verify.lead':
    'Avez-vous créé un compte chez {shop} avec cette adresse ? Il recevra vos messages et montrera les commandes passées avec cette adresse.',
  'verify.submit': 'Confirmer',
  'proof.password': 'Mot de passe du compte',
  'proof.wrong': 'Il est incorrect.',
  'verify.done.title': 'Merci',
  'verify.done.text': 'Votre adresse est confirmée.',
  'disown.title': 'Vous ne vous êtes pas inscrit ?',
  'disown.lead':
    'Quelqu’un a donné cette adresse à un compte chez {shop}. Ceci retire l’adresse du compte et met fin à tout ce qui y a été créé : sessions, clés d’API et webhooks.',
  'disown.submit': 'Je ne me suis pas inscrit',
  'disown.done.title': 'Votre adresse est libre',
  'disown.done.text': 'Aucun compte chez {shop} ne l’utilise plus.',
  'undo.title': 'Annuler la modification de votre adresse',
  'undo.lead':
    'Votre compte chez {shop} retrouve cette adresse. Toutes les sessions, les clés d’API et le mot de passe prennent fin ; vous choisirez ensuite un nouveau mot de passe.',
  'undo.submit': 'Annuler la modification',
  'undo.done.title': 'Votre adresse est rétablie',
  'undo.done.text': 'Demandez maintenant un nouveau mot de passe avec cette adresse.',
  'gone.title': 'Ce lien ne fonctionne plus',
  'gone.text': 'Il ne sert qu’une fois et pour un temps limité. Demandez un nouveau message.',
  'failed.title': 'Cela n’a pas fonctionné',
  'failed.text': 'Réessayez dans un instant.',
  close: 'Vous pouvez fermer cette page.',
}
