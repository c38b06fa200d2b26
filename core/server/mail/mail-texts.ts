import type { Language } from '#core';
import type { MailContent } from './mailer.ts';

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Texts of all mails. `{product}` is the product's title; other names in braces are values of the content. */
export const mailTexts: Readonly<Record<Language, Readonly<Record<MailContent['kind'], MailText>>>> = {
  en: {
    invitation: {
      subject: 'You are invited to {product}',
      text: `Hello {name},

An account has been created for you in {product}. Choose your password here:

{address}

The invitation is valid for {days} days. If you were not expecting it, you can ignore this email.
`,
    },
    invitationSignOn: {
      subject: 'You are invited to {product}',
      text: `Hello {name},

An account has been created for you in {product}. You need no password: log in with your company account ({provider}) here:

{address}

If you were not expecting this invitation, you can ignore this email.
`,
    },
    activation: {
      subject: 'Your activation code for {product}',
      text: `Hello {name},

A password was chosen for your account in {product}. Your activation code:

{code}

Enter it within {minutes} minutes, in the browser where you chose the password:
{address}

If you did not choose a password, do not enter this code or share it with anyone: without the code, the password cannot be used.
`,
    },
    reset: {
      subject: 'Your code to reset your password in {product}',
      text: `Hello {name},

Your code to set a new password in {product}:

{code}

Enter it within {minutes} minutes, in the browser where you requested it:
{address}

If you did not request this, you can ignore this email: your password stays unchanged.
`,
    },
    passwordChanged: {
      subject: 'Your password in {product} was changed',
      text: `Hello {name},

The password of your account in {product} has just been changed, and your other sessions were ended.

If this was not you, ask your admin immediately to deactivate the account.
`,
    },
    secondFactorOff: {
      subject: 'Your second factor in {product} was removed',
      text: `Hello {name},

The second factor of your account in {product} has just been turned off or was reset by an admin. The codes of your app and your recovery codes no longer work.

If neither you nor your admin did this, ask your admin immediately to deactivate the account.
`,
    },
  },
  fr: {
    invitation: {
      subject: 'Vous êtes invité à rejoindre {product}',
      text: `Bonjour {name},

Un compte a été créé pour vous dans {product}. Choisissez votre mot de passe ici :

{address}

L’invitation est valable {days} jours. Si vous ne l’attendiez pas, ignorez cet e-mail.
`,
    },
    invitationSignOn: {
      subject: 'Vous êtes invité à rejoindre {product}',
      text: `Bonjour {name},

Un compte a été créé pour vous dans {product}. Aucun mot de passe n’est nécessaire : connectez-vous avec votre compte d’entreprise ({provider}) ici :

{address}

Si vous n’attendiez pas cette invitation, ignorez cet e-mail.
`,
    },
    activation: {
      subject: 'Votre code d’activation pour {product}',
      text: `Bonjour {name},

Un mot de passe a été choisi pour votre compte dans {product}. Voici votre code d’activation :

{code}

Saisissez-le dans les {minutes} minutes, dans le navigateur où vous avez choisi le mot de passe :
{address}

Si ce n’est pas vous qui avez choisi un mot de passe, ne saisissez pas ce code et ne le communiquez à personne : sans lui, ce mot de passe ne sert à rien.
`,
    },
    reset: {
      subject: 'Votre code pour réinitialiser votre mot de passe dans {product}',
      text: `Bonjour {name},

Voici votre code pour choisir un nouveau mot de passe dans {product} :

{code}

Saisissez-le dans les {minutes} minutes, dans le navigateur où vous l’avez demandé :
{address}

Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste inchangé.
`,
    },
    passwordChanged: {
      subject: 'Votre mot de passe dans {product} a été modifié',
      text: `Bonjour {name},

Le mot de passe de votre compte dans {product} vient d’être modifié et vos autres sessions ont été fermées.

Si ce n’est pas vous, demandez immédiatement à votre administrateur de désactiver le compte.
`,
    },
    secondFactorOff: {
      subject: 'Votre second facteur dans {product} a été supprimé',
      text: `Bonjour {name},

Le second facteur de votre compte dans {product} vient d’être désactivé, ou réinitialisé par un administrateur. Les codes de votre application et vos codes de secours ne fonctionnent plus.

Si ce n’est ni vous ni votre administrateur, demandez-lui immédiatement de désactiver le compte.
`,
    },
  },
};
