import type { Locator, Page, Route } from '@playwright/test';
import { errorCodes, inactiveUserMessage } from '#core';
import { toUrl, fillInLogin, people } from './people.ts';

export interface CheckedScreen {
  readonly name: string;
  /** A path below the base path of the demo, or an absolute URL. */
  readonly url: string;
  /** Finds an element that appears when the screen is complete. By default it is the heading. */
  readonly findReady?: (page: Page) => Locator;
  /** Prepares the screen, such as by opening a panel. `undo` restores the page for the next screen. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly undo?: (page: Page) => Promise<void>;
  /** The screen stays busy, because it waits for a response that never comes. */
  readonly busy?: true;
  /**
   * Axe rules that do not apply, because floating elements are outside of all landmarks or a busy screen has no
   * heading.
   */
  readonly disabledRules?: readonly string[];
}

const findButton = (page: Page, name: RegExp) => page.getByRole('button', { name }).first();
const chooseFile = /^(Choose file|Choisir un fichier)$/;
const clickOn = (name: RegExp) => (page: Page) => findButton(page, name).click();
const fulfillWith = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/json',
    body: JSON.stringify({ code, message, reference: 'a1b2c3d4' }),
  });
const closeDialog = (page: Page) => page.keyboard.press('Escape');
/** Removes the faked replies, and leaves the page because its state comes from them. */
const removeRoutes = async (page: Page) => {
  await page.unrouteAll();
  await page.goto('about:blank');
};
/** Starts a new import of masters at each call, so each language and screen size has its own. */
const uploadMasters =
  (...rows: readonly string[]) =>
  async (page: Page) => {
    await page.getByTestId('file-input').setInputFiles({
      name: 'masters.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\n')),
    });
    await findButton(page, /^(Upload and check|Charger et contrôler)$/).click();
  };
const findHotspot = (page: Page) => findButton(page, /^(Go to|Aller à) /);

/** Screens that need no session. */
export const publicScreens: readonly CheckedScreen[] = [
  { name: 'login', url: '/login' },
  {
    name: 'login-refused',
    url: '/login',
    prepare: (page) => fillInLogin(page, people.staff, 'not the password'),
    findReady: (page) => page.getByRole('alert').filter({ hasText: /./ }),
  },
  { name: 'admin-login', url: '/adminlogin' },
  { name: 'register', url: '/login/register?username=invited@walkdown.example' },
  { name: 'activate', url: '/login/activate?username=invited@walkdown.example' },
  { name: 'forgot', url: '/login/forgot' },
  { name: 'reset', url: '/login/reset?username=staff@walkdown.example' },
  { name: 'logged-out', url: '/login?done=loggedOut' },
  { name: 'not-found', url: '/404' },
  { name: 'server-error', url: '/500' },
  { name: 'forbidden', url: '/403' },
  { name: 'loading', url: '/loading', busy: true },
];

/** Screens of a demo admin by the part of the product. Each part has a journey of its own. */
export const signedInScreens: Readonly<Record<string, readonly CheckedScreen[]>> = {
  'home and account': [
    { name: 'home', url: '/console/home' },
    {
      name: 'home-person-menu',
      url: '/console/home',
      prepare: clickOn(/Ingrid Halvorsen/),
      findReady: (page) => page.getByRole('menu'),
      disabledRules: ['region', 'target-size'],
    },
    { name: 'home-list', url: '/console/home?view=list' },
    { name: 'home-nothing-found', url: '/console/home?search=zzzz' },
    {
      name: 'home-failed',
      url: '/console/home',
      prepare: async (page) => {
        await page.route('**/api/locations', fulfillWith(500, errorCodes.internal, 'Out of order'));
        await page.reload();
      },
      findReady: (page) => findButton(page, /^(Try again|Réessayer)$/),
      undo: removeRoutes,
    },
    {
      name: 'session-expired',
      url: '/console/home',
      prepare: async (page) => {
        await findButton(page, /Ingrid Halvorsen/).click();
        await page.route(/\/api\/|\/token\/renew/, fulfillWith(401, errorCodes.unauthenticated, 'Expired'));
        await page.getByRole('menuitem', { name: /^(Welcome|Bienvenue)$/ }).click();
      },
      findReady: (page) => page.getByText(/^(Your session has expired|Votre session a expiré)/),
      busy: true,
      disabledRules: ['page-has-heading-one'],
      undo: removeRoutes,
    },
    {
      name: 'account-deactivated',
      url: '/console/home',
      prepare: async (page) => {
        await page.route('**/api/locations', fulfillWith(401, errorCodes.inactiveUser, inactiveUserMessage));
        await page.reload();
      },
      findReady: (page) => page.getByRole('heading', { name: /^(Your Account is Inactive|Votre compte est inactif)$/ }),
      undo: removeRoutes,
    },
    { name: 'units', url: '/console/unit/HB' },
    { name: 'unit-unknown', url: '/console/unit/none' },
    { name: 'welcome', url: '/console/welcome' },
    { name: 'videos', url: '/console/video-viewer' },
    { name: 'settings', url: '/console/settings' },
    { name: 'second factor', url: '/console/settings/second-factor' },
    { name: 'no-access', url: '/console/no-access' },
    { name: 'inner-not-found', url: '/console/nothing-here' },
  ],
  'people and pictures': [
    { name: 'admin', url: '/admin/console' },
    {
      name: 'admin-backgrounds',
      url: '/admin/console/bg-upload?location=HB',
      findReady: (page) => page.getByRole('button', { name: chooseFile }).nth(2),
    },
    {
      name: 'admin-contacts',
      url: '/admin/console/upload-contact-details',
      findReady: (page) => page.getByRole('row').nth(1),
    },
    {
      name: 'admin-contact',
      url: '/admin/console/upload-contact-details',
      prepare: clickOn(/^(Edit|Modifier) /),
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-images',
      url: '/admin/console/upload-images',
      findReady: (page) => findButton(page, chooseFile),
    },
    {
      name: 'admin-audit-log',
      url: '/admin/console/audit-log',
      findReady: (page) => page.getByRole('row').nth(1),
    },
    {
      name: 'admin-audit-entry',
      url: '/admin/console/audit-log',
      prepare: clickOn(/^(Details|Détails)/),
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-roles',
      url: '/admin/console/acl-roles',
      findReady: (page) => findButton(page, /^(Deactivate|Désactiver) ?: /),
    },
    { name: 'admin-groups', url: '/admin/console/role-groups' },
    {
      name: 'admin-role',
      url: '/admin/console/acl-roles?role=site-staff',
      findReady: (page) => page.getByRole('treeitem').first(),
    },
    {
      name: 'admin-role-deactivation',
      url: '/admin/console/acl-roles',
      prepare: clickOn(/^(Deactivate|Désactiver) ?: /),
      findReady: (page) => page.getByRole('alertdialog').getByRole('listitem').first(),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-access-requests',
      url: '/admin/console/access-control',
      findReady: (page) => page.getByRole('heading', { name: /^(No requests|Aucune demande)$/ }),
    },
    {
      name: 'admin-access-explained',
      url: '/admin/console/access-control?view=explain&feature=vrAccess',
      prepare: async (page) => {
        const person = page.getByRole('combobox', { name: /^(Person|Personne)$/ });
        await person.click();
        await person.pressSequentially('Claire');
        await page.getByRole('option', { name: /Claire Moreau/ }).click();
      },
      findReady: (page) => page.getByRole('table'),
    },
    {
      name: 'admin-users',
      url: '/admin/console/user-list',
      findReady: (page) => page.getByRole('row').nth(1),
    },
    {
      name: 'admin-user',
      url: '/admin/console/user',
      findReady: (page) => findButton(page, /^(Invite|Inviter)$/),
    },
    {
      name: 'admin-import-users',
      url: '/admin/console/import-user',
      findReady: (page) => findButton(page, /^(Upload and check|Charger et contrôler)$/),
    },
  ],
  'sites, viewpoints and tags': [
    {
      name: 'admin-sites',
      url: '/admin/console/sites?location=HB',
      findReady: (page) => findButton(page, /^(Save record|Enregistrer la fiche)$/),
    },
    {
      name: 'admin-site-add',
      url: '/admin/console/sites?add=site',
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-viewpoints',
      url: '/admin/console/viewpoints?location=HB',
      findReady: (page) => page.getByText('HB-P03').first(),
    },
    {
      name: 'admin-plan-placement',
      url: '/admin/console/viewpoints?location=HB',
      prepare: clickOn(/^(Place plan…|Placer le plan…)$/),
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-alignment',
      url: '/admin/console/viewpoints?location=HB-M10',
      prepare: async (page) => {
        await page.getByRole('checkbox', { name: /HB-P03$/ }).click();
        await findButton(page, /^(Align…|Aligner…)$/).click();
      },
      findReady: (page) => page.getByRole('heading', { name: /^(Result|Résultat)$/ }),
      undo: clickOn(/^(Back to the viewpoints|Retour aux points de vue)$/),
    },
    {
      name: 'admin-tags',
      url: '/admin/console/tags?location=HB',
      findReady: (page) => findButton(page, /^(Edit|Modifier) /),
    },
    {
      name: 'admin-tag-form',
      url: '/admin/console/tags?location=HB&search=PSV-1004',
      prepare: clickOn(/^(Edit|Modifier) PSV-1004$/),
      findReady: (page) => findButton(page, /^(Delete|Supprimer) PSV-1004$/),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-tag-place',
      url: '/admin/console/tags?location=HB&search=PSV-1004',
      prepare: clickOn(/^(Place|Placer) PSV-1004$/),
      findReady: (page) => page.getByRole('application'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-documents',
      url: '/admin/console/tags?location=HB&tab=documents',
      findReady: (page) => findButton(page, /^(Edit|Modifier) /),
    },
    {
      name: 'admin-panoramas',
      url: '/admin/console/panoramas?location=HB-M10',
      findReady: (page) => findButton(page, /^(New panorama|Nouveau panorama)$/),
    },
  ],
  imports: [
    {
      name: 'admin-imports',
      url: '/admin/console/imports',
      findReady: (page) => findButton(page, /^(New import|Nouvelle importation)$/),
    },
    {
      name: 'admin-import-files',
      url: '/admin/console/import-master',
      findReady: (page) => findButton(page, /^(Upload and check|Charger et contrôler)$/),
    },
    {
      name: 'admin-import-columns',
      url: '/admin/console/import-master',
      prepare: uploadMasters('Sort,Name,Status', 'SECTION,Crew,Active'),
      findReady: (page) => page.getByRole('table'),
    },
    {
      name: 'admin-import-check',
      url: '/admin/console/import-master',
      prepare: uploadMasters('Type,Name,Status', 'SECTION,Crew,Aktive', 'SECTION,,Active'),
      findReady: (page) => page.getByRole('gridcell', { name: /^Aktive/ }),
    },
    {
      name: 'admin-import-preview',
      url: '/admin/console/import-master',
      prepare: uploadMasters('Type,Name,Status', 'SECTION,Crew,Active'),
      findReady: (page) => page.getByRole('gridcell', { name: 'Crew' }),
    },
  ],
  'scans and models': [
    {
      name: 'admin-scans',
      url: '/admin/console/scans?location=HB-M10',
      findReady: (page) => page.getByRole('tab', { name: /^Stations/ }),
    },
    {
      name: 'admin-scan-stations',
      url: '/admin/console/scans?location=HB-M10',
      prepare: (page) => page.getByRole('tab', { name: /^Stations/ }).click(),
      findReady: (page) => findButton(page, /^(Edit|Modifier)$/),
    },
    {
      name: 'admin-scan-upload',
      url: '/admin/console/scans?location=HB-M10',
      prepare: clickOn(/^(Upload scans|Importer des scans)$/),
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-models',
      url: '/admin/console/models?location=HB-M10',
      findReady: (page) => findButton(page, /^(New version|Nouvelle version)$/),
    },
    {
      name: 'admin-3d-mapping',
      url: '/admin/console/3d-mapping?location=HB-M10&search=V-100',
      findReady: (page) => findButton(page, /^(Edit the links|Modifier les liens) /),
    },
    {
      name: 'admin-3d-mapping-edit',
      url: '/admin/console/3d-mapping?location=HB-M10&search=V-100',
      prepare: clickOn(/^(Edit the links|Modifier les liens) /),
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
    {
      name: 'admin-tag-rules',
      url: '/admin/console/tag-rules?location=HB-M10',
      findReady: (page) => page.getByRole('grid').getByRole('row').nth(1),
    },
    {
      name: 'admin-model-upload',
      url: '/admin/console/models?location=HB-M10',
      prepare: clickOn(/^(Upload model|Importer un modèle)$/),
      findReady: (page) => page.getByRole('dialog'),
      disabledRules: ['region', 'page-has-heading-one'],
      undo: closeDialog,
    },
  ],
  tour: [
    { name: 'tour', url: '/console/tour/HB-M10', findReady: findHotspot },
    {
      name: 'tour-form',
      url: '/console/home',
      prepare: async (page) => {
        await page.route('**/api/feedback/HB-M10/form', async (route) => {
          const reply = await route.fetch();
          await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), remaining: 0 } });
        });
        await page.evaluate(() => localStorage.removeItem('walkdown.feedback.form'));
        await page.goto(toUrl('/console/tour/HB-M10'));
      },
      findReady: (page) => findButton(page, /^(Open the tour|Ouvrir la visite)$/),
      undo: removeRoutes,
    },
    {
      name: 'tour-viewpoints',
      url: '/console/tour/HB-M10',
      prepare: clickOn(/^(Viewpoints|Points de vue)$/),
      findReady: (page) => page.getByRole('complementary'),
      disabledRules: ['region'],
    },
    {
      name: 'tour-map',
      url: '/console/tour/HB-M10',
      prepare: clickOn(/^(Open the map large|Ouvrir la carte en grand)$/),
      findReady: (page) => page.getByRole('dialog').getByRole('button', { name: /^(Zoom in|Agrandir|Zoom avant)/ }),
    },
    {
      name: 'tour-search',
      url: '/console/tour/HB-M10',
      prepare: (page) => page.getByRole('combobox', { name: /^(Search|Rechercher) / }).fill('1003'),
      findReady: (page) => page.getByRole('option', { name: /^LV-1003/ }).first(),
    },
    {
      name: 'tour-tag',
      url: '/console/tour/HB-M10?v=1&module=vr.module&node=HB-P03&pan=119&tilt=-2&fov=75&pos=-5,-3,1.7&sel=LV-1003',
      findReady: (page) => page.getByRole('complementary'),
    },
    { name: 'tour-missing', url: '/console/tour/SK' },
    {
      name: 'device-check',
      url: '/console/view1',
      findReady: (page) => findButton(page, /Turn around once|Faire un tour complet/),
    },
  ],
};
