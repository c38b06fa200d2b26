import type { Locator, Page, Route } from '@playwright/test';
import { errorCodes, inactiveUserMessage } from '#core';
import { at, fillIn, people } from './people.ts';

export interface WalkedScreen {
  readonly name: string;
  /** Path below the base path of the demo, or an absolute URL. */
  readonly address: string;
  /** Text of the complete screen in both languages; default: its heading. */
  readonly ready?: (page: Page) => Locator;
  /** A preparation, such as opening a panel; `undo` restores the page for the next screen. */
  readonly arrange?: (page: Page) => Promise<void>;
  readonly undo?: (page: Page) => Promise<void>;
  /** The screen waits for a response that never comes, and so stays busy. */
  readonly busy?: true;
  /**
   * Axe rules that do not apply: floating elements are outside of all landmarks and cover content below; busy screens
   * have no heading.
   */
  readonly without?: readonly string[];
}

const button = (page: Page, name: RegExp) => page.getByRole('button', { name }).first();
const click = (name: RegExp) => (page: Page) => button(page, name).click();
const answer = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/json',
    body: JSON.stringify({ code, message, reference: 'a1b2c3d4' }),
  });
const closeDialog = (page: Page) => page.keyboard.press('Escape');
const unroute = (page: Page) => page.unrouteAll();
const hotspot = (page: Page) => button(page, /^(Go to|Aller à) /);

/** Screens that need no session. */
export const openScreens: readonly WalkedScreen[] = [
  { name: 'login', address: '/login' },
  {
    name: 'login-refused',
    address: '/login',
    arrange: (page) => fillIn(page, people.staff, 'not the password'),
    ready: (page) => page.getByRole('alert').filter({ hasText: /./ }),
  },
  { name: 'admin-login', address: '/adminlogin' },
  { name: 'register', address: '/login/register?username=invited@walkdown.example' },
  { name: 'activate', address: '/login/activate?username=invited@walkdown.example' },
  { name: 'forgot', address: '/login/forgot' },
  { name: 'reset', address: '/login/reset?username=staff@walkdown.example' },
  { name: 'logged-out', address: '/login?done=loggedOut' },
  { name: 'not-found', address: '/404' },
  { name: 'server-error', address: '/500' },
  { name: 'forbidden', address: '/403' },
  { name: 'loading', address: '/loading', busy: true },
];

/** Screens of a demo admin. */
export const innerScreens: readonly WalkedScreen[] = [
  { name: 'home', address: '/console/home' },
  {
    name: 'home-person-menu',
    address: '/console/home',
    arrange: click(/Ingrid Halvorsen/),
    ready: (page) => page.getByRole('menu'),
    without: ['region', 'target-size'],
  },
  { name: 'home-list', address: '/console/home?view=list' },
  { name: 'home-nothing-found', address: '/console/home?search=zzzz' },
  {
    name: 'home-failed',
    address: '/console/home',
    arrange: async (page) => {
      await page.route('**/api/locations', answer(500, errorCodes.internal, 'Out of order'));
      await page.reload();
    },
    ready: (page) => button(page, /^(Try again|Réessayer)$/),
    undo: unroute,
  },
  {
    name: 'session-expired',
    address: '/console/home',
    arrange: async (page) => {
      await button(page, /Ingrid Halvorsen/).click();
      await page.route(/\/api\/|\/token\/renew/, answer(401, errorCodes.unauthenticated, 'Expired'));
      await page.getByRole('menuitem', { name: /^(Welcome|Bienvenue)$/ }).click();
    },
    ready: (page) => page.getByText(/^(Your session has expired|Votre session a expiré)/),
    busy: true,
    without: ['page-has-heading-one'],
    undo: unroute,
  },
  {
    name: 'account-deactivated',
    address: '/console/home',
    arrange: async (page) => {
      await page.route('**/api/locations', answer(401, errorCodes.inactiveUser, inactiveUserMessage));
      await page.reload();
    },
    ready: (page) => page.getByRole('heading', { name: /^(Your Account is Inactive|Votre compte est inactif)$/ }),
    undo: unroute,
  },
  { name: 'units', address: '/console/unit/HB' },
  { name: 'unit-unknown', address: '/console/unit/none' },
  { name: 'welcome', address: '/console/welcome' },
  { name: 'videos', address: '/console/video-viewer' },
  { name: 'settings', address: '/console/settings' },
  { name: 'no-access', address: '/console/no-access' },
  { name: 'inner-not-found', address: '/console/nothing-here' },
  { name: 'admin', address: '/admin/console' },
  {
    name: 'admin-panoramas',
    address: '/admin/console/panoramas?location=HB-M10',
    ready: (page) => button(page, /^(New panorama|Nouveau panorama)$/),
  },
  {
    name: 'admin-scans',
    address: '/admin/console/scans?location=HB-M10',
    ready: (page) => page.getByRole('tab', { name: /^Stations/ }),
  },
  {
    name: 'admin-scan-stations',
    address: '/admin/console/scans?location=HB-M10',
    arrange: (page) => page.getByRole('tab', { name: /^Stations/ }).click(),
    ready: (page) => button(page, /^(Edit|Modifier)$/),
  },
  {
    name: 'admin-scan-upload',
    address: '/admin/console/scans?location=HB-M10',
    arrange: click(/^(Upload scans|Importer des scans)$/),
    ready: (page) => page.getByRole('dialog'),
    without: ['region', 'page-has-heading-one'],
    undo: closeDialog,
  },
  {
    name: 'admin-models',
    address: '/admin/console/models?location=HB-M10',
    ready: (page) => button(page, /^(New version|Nouvelle version)$/),
  },
  {
    name: 'admin-3d-mapping',
    address: '/admin/console/3d-mapping?location=HB-M10&search=V-100',
    ready: (page) => button(page, /^(Edit the links|Modifier les liens) /),
  },
  {
    name: 'admin-3d-mapping-edit',
    address: '/admin/console/3d-mapping?location=HB-M10&search=V-100',
    arrange: click(/^(Edit the links|Modifier les liens) /),
    ready: (page) => page.getByRole('dialog'),
    without: ['region', 'page-has-heading-one'],
    undo: closeDialog,
  },
  { name: 'tour', address: '/console/tour/HB-M10', ready: hotspot },
  {
    name: 'tour-form',
    address: '/console/home',
    arrange: async (page) => {
      await page.route('**/api/feedback/HB-M10/form', async (route) => {
        const reply = await route.fetch();
        await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), remaining: 0 } });
      });
      await page.evaluate(() => localStorage.removeItem('walkdown.feedback.form'));
      await page.goto(at('/console/tour/HB-M10'));
    },
    ready: (page) => button(page, /^(Open the tour|Ouvrir la visite)$/),
    undo: unroute,
  },
  {
    name: 'tour-places',
    address: '/console/tour/HB-M10',
    arrange: click(/^(Viewpoints|Points de vue)$/),
    ready: (page) => page.getByRole('complementary'),
    without: ['region'],
  },
  {
    name: 'tour-tag',
    address: '/console/tour/HB-M10?v=1&module=vr.module&node=HB-P03&pan=119&tilt=-2&fov=75&pos=-5,-3,1.7&sel=LV-1003',
    ready: (page) => page.getByRole('complementary'),
  },
  { name: 'tour-missing', address: '/console/tour/SK' },
  {
    name: 'device-check',
    address: '/console/view1',
    ready: (page) => button(page, /Turn around once|Faire un tour complet/),
  },
];
