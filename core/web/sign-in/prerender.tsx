import { createDOMRenderer, RendererProvider, renderToStyleElements } from '@fluentui/react-components';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { basePath, type Language, type Product } from '#core';
import { boot, type BootPage } from './boot.ts';
import type { SignInApi } from './sign-in-api.ts';
import { SignInApp } from './sign-in-app.tsx';
import { signInCss } from './sign-in-css.ts';
import { listSignInPaths, signInScreens, type SignInScreen } from './sign-in-screen.ts';

/**
 * The prerendered sign-in page. One file serves all URLs and languages; its first script selects a screen before
 * the first paint.
 */
export interface PrerenderedSignIn {
  /** Content of the body: the empty root, and one `<template>` per screen and language. */
  readonly html: string;
  /** Styles in addition to the product's stylesheet. */
  readonly css: string;
  /**
   * Text of a script after the root of both pages. It selects the theme, the language and the prerendered screen.
   */
  readonly firstScript: string;
}

const rejectCall = (name: string) => () =>
  Promise.reject(new Error(`The sign-in page is rendered at build time, without a server for the call '${name}'.`));
const noApi: SignInApi = {
  login: rejectCall('login'),
  callSecondFactor: rejectCall('callSecondFactor'),
  renew: rejectCall('renew'),
  startSignOn: rejectCall('startSignOn'),
  exchangeCode: rejectCall('exchangeCode'),
  register: rejectCall('register'),
  activate: rejectCall('activate'),
  requestReset: rejectCall('requestReset'),
  resetPassword: rejectCall('resetPassword'),
  resendCode: rejectCall('resendCode'),
  loadContent: rejectCall('loadContent'),
};

/** Renders every sign-in screen in every language of the product. The result is deterministic. */
export async function renderSignIn(product: Product): Promise<PrerenderedSignIn> {
  const renderer = createDOMRenderer(undefined);
  // React's preload hints for images have no effect inside templates.
  const renderScreen = (screen: SignInScreen, language: Language) =>
    renderToString(
      <RendererProvider renderer={renderer}>
        <SignInApp
          product={product}
          api={noApi}
          screen={screen}
          language={language}
          onFinish={() => Promise.resolve()}
        />
      </RendererProvider>,
    ).replaceAll(/<link rel="preload"[^>]*>/g, '');
  const templates = signInScreens.flatMap((screen) =>
    product.languages.map(
      (language) => `<template id="${screen}.${language}">${renderScreen(screen, language)}</template>`,
    ),
  );
  const elements = renderToStyleElements(renderer).map((element) => renderToStaticMarkup(element));
  const page: BootPage = { basePath, languages: product.languages, screens: listSignInPaths(product) };
  return {
    html: `<div id="root"></div>${templates.join('')}`,
    css: [...elements.map(parseCss), signInCss].join('\n'),
    firstScript: `(${boot.toString()})(${JSON.stringify(page).replaceAll('<', '\\u003c')})`,
  };
}

/** The text of a style element, within the media query of its attribute. */
function parseCss(styleElement: string): string {
  const [, attributes, css] = /^<style([^>]*)>([^<]*)<\/style>$/.exec(styleElement) ?? [];
  if (attributes === undefined || css === undefined)
    throw new Error(`Griffel wrote a style element in an unknown format: ${styleElement.slice(0, 120)}`);
  const media = /\smedia="([^"]+)"/.exec(attributes)?.[1];
  return media === undefined ? css : `@media ${media}{${css}}`;
}
