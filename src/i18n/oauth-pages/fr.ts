import type { PageMessages } from './en.ts'

/** The messages of the OAuth pages in French. */
export const fr: PageMessages = {
  'sign_in.title': 'Se connecter',
  'sign_in.lead': 'pour continuer vers {client}',
  'sign_in.username': 'Nom d’utilisateur ou adresse e-mail',
  'sign_in.password': 'Mot de passe',
  'sign_in.remember': 'Rester connecté sur cet appareil',
  'sign_in.submit': 'Se connecter',
  'sign_in.cancel': 'Annuler',
  'problem.title': 'Il y a un problème',
  'problem.username': 'Saisissez votre nom d’utilisateur ou votre adresse e-mail',
  'problem.password': 'Saisissez votre mot de passe',
  'problem.credentials': 'Nom d’utilisateur ou mot de passe incorrect',
  'problem.suspended': 'Ce compte est suspendu. Contactez la boutique',
  'problem.throttled': 'Trop de tentatives. Réessayez dans {seconds} secondes',
  'consent.title': 'Autoriser {client} à utiliser votre compte ?',
  'consent.account': 'Vous êtes connecté en tant que {name}.',
  'consent.list': 'Cette application pourra :',
  'consent.barred':
    'Elle a aussi demandé des droits que votre compte n’a pas. Elle ne pourra pas :',
  'consent.admin':
    'Vous êtes administrateur : cela donne accès aux données de tous les clients, pas seulement aux vôtres.',
  'consent.duration': 'Durée de l’accès',
  'consent.lasting':
    'Jusqu’à ce que vous le révoquiez, {days} jours au plus, même en votre absence.',
  'consent.passing':
    '{minutes} minutes à la fois, pendant que vous utilisez l’application. Rien ne vous sera redemandé pendant {days} jours, sauf si vous révoquez l’accès.',
  'consent.once': '{minutes} minutes. Ensuite, l’application devra vous redemander.',
  'consent.native':
    'N’importe quel programme pourrait se faire passer pour cette application. Continuez seulement si vous venez de la lancer.',
  'consent.return': 'Vous serez ensuite redirigé vers {host}.',
  'consent.privacy': 'Politique de confidentialité de l’application',
  'consent.terms': 'Conditions d’utilisation de l’application',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',
  'sign_out.title': 'Se déconnecter ?',
  'sign_out.account': 'Vous êtes connecté en tant que {name}.',
  'sign_out.asked': 'Vous êtes connecté en tant que {name}. {client} demande à vous déconnecter.',
  'sign_out.effect':
    'Vous serez déconnecté de la boutique dans ce navigateur. Les applications conservent l’accès que vous leur avez donné jusqu’à ce que vous le révoquiez.',
  'sign_out.submit': 'Se déconnecter',
  'sign_out.stay': 'Rester connecté',
  'sign_out.kept': 'Vous êtes toujours connecté',
  'sign_out.kept_text': 'Rien n’a changé. Vous pouvez fermer cette page.',
  'signed_out.title': 'Vous êtes déconnecté',
  'signed_out.text': 'Vous pouvez fermer cette page.',
  'failure.title': 'Cela n’a pas fonctionné',
  'failure.request': 'L’application qui vous a envoyé ici a fait une demande non valide.',
  'failure.expired': 'Cette page a expiré ou a été ouverte dans un autre navigateur.',
  'failure.server': 'Un problème est survenu de notre côté.',
  'failure.advice': 'Revenez à l’application et recommencez.',
  'failure.details': 'Pour les développeurs de l’application',
  'scope.openid': 'Voir l’identifiant de votre compte',
  'scope.profile': 'Voir votre nom et votre nom d’utilisateur',
  'scope.email': 'Voir votre adresse e-mail',
  'scope.offline_access': 'Conserver l’accès en votre absence',
  'scope.users:read': 'Voir votre compte et où vous êtes connecté',
  'scope.users:read.admin':
    'Voir les comptes de tous les utilisateurs, où ils sont connectés, et le journal d’audit',
  'scope.users:write': 'Modifier et supprimer votre compte, et vous déconnecter',
  'scope.users:write.admin':
    'Modifier, suspendre et supprimer les comptes de tous les utilisateurs, et les déconnecter',
  'scope.products:write': 'Ajouter, modifier et retirer des produits de la boutique',
  'scope.orders:read': 'Voir vos commandes et vos paiements',
  'scope.orders:read.admin': 'Voir les commandes et les paiements de tous les clients',
  'scope.orders:write': 'Passer, modifier et annuler des commandes pour vous',
  'scope.orders:write.admin':
    'Passer, modifier, expédier et annuler les commandes de tous les clients',
  'scope.carts:write': 'Voir et modifier votre panier',
  'scope.carts:write.admin': 'Voir et modifier les paniers de tous les clients',
  'scope.payments:write': 'Payer vos commandes',
  'scope.payments:write.admin': 'Payer les commandes de tous les clients',
  'scope.reviews:write': 'Écrire des avis en votre nom',
  'scope.purchases:read': 'Voir ce que vous avez acheté',
  'scope.purchases:read.admin': 'Voir ce que tous les clients ont acheté',
  'scope.keys:write':
    'Créer et révoquer des clés d’API de votre compte, et révoquer l’accès d’applications',
  'scope.keys:write.admin':
    'Créer des clés d’API de votre compte, révoquer celles de tous les utilisateurs et gérer les applications qui peuvent demander un accès',
  'scope.events:read':
    'Voir ce qui se passe dans la boutique : commandes, paiements, produits et utilisateurs',
  'scope.webhooks:write': 'Faire envoyer les événements de la boutique à d’autres serveurs',
  'scope.refunds:write': 'Rembourser des paiements',
  'scope.settings:write': 'Modifier les modes de livraison, les taxes et les remises',
  'scope.imports:write': 'Importer des produits, des utilisateurs, des stocks et des prix',
  'scope.files:write': 'Ajouter, modifier et retirer des fichiers et des images',
}
