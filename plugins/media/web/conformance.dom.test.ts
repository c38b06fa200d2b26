import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { noticeSeverities, providerProblems, providerTestSteps } from '#core';
import { backgroundKinds, bannerAreas, contactCategories } from '../contract/index.ts';
import { markdownFormats } from './admin/stores/format-markdown.ts';
import { noticeChangeKinds } from './admin/stores/notice-mutations.ts';
import manifest from '../plugin.ts';

const profileFacts = [
  'title',
  'shortName',
  'version',
  'loginType',
  'logoutAddress',
  'minPasswordLength',
  'languages',
  'timeZone',
  'contact',
  'progressiveWebApp',
];

webPluginConforms({
  folder: path.resolve('plugins/media'),
  manifest,
  settings: {},
  messages: [
    ...['LOGIN', ...backgroundKinds].flatMap((kind) => [
      `media.backgrounds.done.${kind}`,
      `media.backgrounds.undone.${kind}`,
    ]),
    ...contactCategories.map((category) => `media.contact.category.${category}`),
    ...['name', 'jobTitle', 'email', 'phone', 'languages', 'edit', 'editOf', 'delete', 'deleteOf'].map(
      (text) => `media.contact.${text}`,
    ),
    ...['saved', 'deleted'].flatMap((kind) => [`media.contact.done.${kind}`, `media.contact.undone.${kind}`]),
    ...['added', 'saved', 'deleted'].flatMap((kind) => [`media.item.done.${kind}`, `media.item.undone.${kind}`]),
    ...['itemSaved', 'itemDeleted', 'contactSaved', 'contactDeleted', 'contactsImported'].map(
      (action) => `media.audit.${action}`,
    ),
    ...['welcomeText', 'contactDetail', 'images', 'imagesAndVideo', 'notices'].flatMap((key) => [
      `media.settings.key.${key}`,
      `media.settings.value.${key}`,
    ]),
    ...profileFacts.map((fact) => `media.settings.profile.${fact}`),
    ...providerTestSteps.map((step) => `media.settings.step.${step}`),
    ...providerProblems.map((problem) => `media.settings.problem.${problem}`),
    ...['OK', 'FAILED', 'SKIPPED'].map((outcome) => `media.settings.outcome.${outcome}`),
    ...['en', 'fr'].map((language) => `media.welcomeText.language.${language}`),
    ...markdownFormats.map((format) => `media.welcomeText.format.${format}`),
    ...noticeSeverities.map((severity) => `media.notice.severity.${severity}`),
    ...bannerAreas.map((area) => `media.notice.area.${area}`),
    ...['SCHEDULED', 'SHOWN', 'ENDED'].map((state) => `media.notice.state.${state}`),
    ...['editOf', 'takeBackOf', 'editAction', 'takeBack'].map((text) => `media.notice.${text}`),
    ...noticeChangeKinds.flatMap((kind) => [`media.notice.done.${kind}`, `media.notice.undone.${kind}`]),
    ...['noticeSaved', 'noticeTakenBack'].map((action) => `media.audit.${action}`),
    ...['loginBackgroundsSaved', 'locationBackgroundsSaved', 'tourBackgroundsSaved', 'changeUndone'].map(
      (action) => `media.audit.${action}`,
    ),
  ],
});
