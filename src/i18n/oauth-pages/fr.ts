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
  'problem.credentials': 'Le nom d’utilisateur et le mot de passe ne correspondent à aucun compte',
  'problem.suspended': 'Ce compte a été suspendu. Adressez-vous à la boutique',
  'problem.throttled': 'Trop de tentatives. Réessayez dans {seconds} secondes',
  'consent.title': 'Autoriser {client} à utiliser votre compte ?',
  'consent.account': 'Vous êtes connecté en tant que {name}.',
  'consent.list': 'Cette application pourra :',
  'consent.barred':
    'Elle a aussi demandé ce que votre compte n’a pas le droit de faire, et ne pourra pas :',
  'consent.admin':
    'Vous êtes administrateur : cela concerne les données de tous les clients, pas seulement les vôtres.',
  'consent.duration': 'Pendant combien de temps',
  'consent.lasting':
    'Jusqu’à ce que vous le retiriez, {days} jours au plus, même en votre absence.',
  'consent.passing':
    '{minutes} minutes à la fois, pendant que vous l’utilisez. Rien ne vous sera redemandé pendant {days} jours, sauf si vous retirez cet accès.',
  'consent.once': '{minutes} minutes. Ensuite, elle devra vous redemander.',
  'consent.native':
    'N’importe qui pourrait se faire passer pour cette application. Continuez seulement si vous venez de la lancer.',
  'consent.return': 'Vous serez ensuite dirigé vers {host}.',
  'consent.privacy': 'Politique de confidentialité de l’application',
  'consent.terms': 'Conditions d’utilisation de l’application',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',
  'sign_out.title': 'Se déconnecter ?',
  'sign_out.account': 'Vous êtes connecté en tant que {name}.',
  'sign_out.asked':
    'Vous êtes connecté en tant que {name}, et {client} demande à vous déconnecter.',
  'sign_out.effect':
    'Vous serez déconnecté de la boutique dans ce navigateur. Ce que vous avez permis à des applications reste permis jusqu’à ce que vous le retiriez.',
  'sign_out.submit': 'Se déconnecter',
  'sign_out.stay': 'Rester connecté',
  'sign_out.kept': 'Vous êtes toujours connecté',
  'sign_out.kept_text': 'Rien n’a changé. Vous pouvez fermer cette page.',
  'signed_out.title': 'Vous êtes déconnecté',
  'signed_out.text': 'Vous pouvez fermer cette page.',
  'failure.title': 'Cela n’a pas fonctionné',
  'failure.request':
    'L’application qui vous a envoyé ici a demandé quelque chose à quoi il est impossible de répondre.',
  'failure.expired': 'Cette page a expiré ou a été ouverte dans un autre navigateur.',
  'failure.server': 'Un problème est survenu de notre côté.',
  'failure.advice': 'Revenez à l’application et recommencez.',
  'failure.details': 'Pour le concepteur de l’application',
  'scope.openid': 'Savoir quel compte est le vôtre',
  'scope.profile': 'Voir votre nom et votre nom d’utilisateur',
  'scope.email': 'Voir votre adresse e-mail',
  'scope.offline_access': 'Continuer en votre absence',
  'scope.users:read': 'Voir votre compte et où vous êtes connecté',
  'scope.users:read.admin':
    'Voir les comptes de tous les utilisateurs, où ils sont connectés, et le journal d’audit',
  'scope.users:write': 'Modifier votre compte, vous déconnecter et supprimer votre compte',
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
    'Créer et révoquer des clés d’accès à votre compte, et retirer ce que vous avez permis à des applications',
  'scope.keys:write.admin':
    'Créer des clés d’accès à votre compte, révoquer celles de tous les utilisateurs et gérer les applications qui peuvent demander un accès',
}
