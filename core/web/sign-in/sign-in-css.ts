/**
 * The stylesheet of the sign-in page, used only by the prerenderer. Selectors have two classes to outrank Fluent's
 * rules. Below 900 px the image is a strip above the form.
 */
export const signInCss = `
.sign-in {
  /* Two layers behind text keep white readable on any image (contrast 6:1 on white). */
  --veil: var(--colorBackgroundOverlay);
  --focus: 2px solid var(--colorStrokeFocus2);
  display: grid;
  grid-template-columns: minmax(0, 62fr) minmax(440px, 38fr);
  grid-template-rows: minmax(0, 1fr) auto;
  min-height: 100vh;
  min-height: 100dvh;
  color: var(--colorNeutralForeground1);
  background: var(--colorNeutralBackground1);
}
.sign-in .sign-in-panel {
  grid-column: 2;
  grid-row: 1 / span 2;
  display: grid;
  /* Aligned to the top, so that the form does not move when the screen or the language changes. */
  align-content: start;
  justify-items: center;
  padding: clamp(24px, 20vh, 480px) 32px 24px;
}
.sign-in .sign-in-column { width: 100%; max-width: 376px; }
html[data-resuming] .sign-in-column { visibility: hidden; }
.sign-in .sign-in-resuming {
  display: none;
  grid-column: 2;
  grid-row: 1 / span 2;
  place-self: center;
  margin: 0;
  color: var(--colorNeutralForeground3);
  animation: sign-in-appear var(--durationGentle) 300ms backwards;
}
html[data-resuming] .sign-in .sign-in-resuming { display: block; }
@keyframes sign-in-appear { from { opacity: 0; } }

.sign-in .sign-in-logo {
  display: block;
  width: auto;
  height: 48px;
  max-width: 240px;
  margin-bottom: 16px;
  object-fit: contain;
  object-position: left center;
}
.sign-in .sign-in-logo-dark,
html:is([data-theme=dark], [data-theme=contrast]) .sign-in .sign-in-logo-light { display: none; }
html:is([data-theme=dark], [data-theme=contrast]) .sign-in .sign-in-logo-dark { display: block; }
@media (prefers-color-scheme: dark) {
  html[data-theme=system] .sign-in .sign-in-logo-light { display: none; }
  html[data-theme=system] .sign-in .sign-in-logo-dark { display: block; }
}
.sign-in .sign-in-product {
  margin: 0;
  font: var(--fontWeightSemibold) var(--fontSizeBase600) / var(--lineHeightBase600) var(--fontFamilyBase);
}
.sign-in .sign-in-heading {
  margin: 12px 0 0;
  font: var(--fontWeightSemibold) var(--fontSizeBase400) / var(--lineHeightBase400) var(--fontFamilyBase);
}
.sign-in .sign-in-lead { margin: 4px 0 0; color: var(--colorNeutralForeground2); }
.sign-in .sign-in-body { margin-top: 24px; }

/* A list of notices that is longer than a third of the window is scrolled. */
.sign-in .sign-in-admin-notices { display: grid; row-gap: 8px; margin-bottom: 24px; max-height: 34vh; overflow-y: auto; }
.sign-in .sign-in-admin-notice {
  margin: 0;
  padding: 8px 12px;
  white-space: pre-line;
  overflow-wrap: anywhere;
  border: 1px solid var(--colorNeutralStroke1);
  border-left-width: 4px;
  border-radius: var(--borderRadiusMedium);
  background: var(--colorNeutralBackground3);
}
.sign-in .sign-in-admin-notice[data-severity=WARNING] { border-color: var(--colorStatusWarningBorderActive); }
.sign-in .sign-in-admin-notice[data-severity=CRITICAL] {
  border-color: var(--colorStatusDangerBorderActive);
  background: var(--colorStatusDangerBackground1);
}

.sign-in .sign-in-form { display: grid; row-gap: 4px; }
/* Reserves space for label, input and error message, so that nothing moves. */
.sign-in .sign-in-field { min-height: 94px; grid-template-rows: auto auto 1fr; }
.sign-in .sign-in-input { width: 100%; }
.sign-in .sign-in-code {
  letter-spacing: 0.35em;
  font-variant-numeric: tabular-nums;
  font-size: var(--fontSizeBase500);
}
.sign-in .sign-in-messages { display: grid; align-content: end; min-height: 44px; padding-bottom: 12px; }
.sign-in .sign-in-failure,
.sign-in .sign-in-notice { display: flex; align-items: start; column-gap: 4px; margin: 0; }
.sign-in .sign-in-failure { color: var(--colorPaletteRedForeground1); font-weight: var(--fontWeightSemibold); }
.sign-in .sign-in-notice { color: var(--colorPaletteGreenForeground1); }
.sign-in .sign-in-icon { flex-shrink: 0; font-size: 20px; }
.sign-in .sign-in-reference {
  display: block;
  color: var(--colorNeutralForeground3);
  font-weight: var(--fontWeightRegular);
  font-size: var(--fontSizeBase200);
}
.sign-in .sign-in-submit { width: 100%; max-width: none; min-height: 44px; }
.sign-in .sign-in-providers { display: grid; row-gap: 12px; }
.sign-in .sign-in-links { display: grid; justify-items: start; row-gap: 4px; margin-top: 16px; }
.sign-in .sign-in-link { display: inline-flex; align-items: center; min-height: 24px; }
.sign-in .sign-in-quiet { color: var(--colorNeutralForeground3); }

.sign-in .sign-in-background {
  grid-column: 1;
  grid-row: 1 / span 2;
  position: relative;
  overflow: hidden;
  background: var(--colorNeutralBackgroundStatic) linear-gradient(
    150deg,
    var(--colorBrandBackgroundPressed),
    var(--colorBrandBackground) 55%,
    var(--colorBrandBackgroundHover)
  );
}
.sign-in .sign-in-background::after {
  content: '';
  position: absolute;
  inset: 0;
  pointer-events: none;
  background-image:
    linear-gradient(to right, transparent 64%, var(--veil)),
    linear-gradient(to top, var(--veil) 64px, transparent 200px),
    linear-gradient(to top, var(--veil) 64px, transparent 200px);
}
.sign-in .sign-in-drawing {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  color: var(--colorNeutralForegroundStaticInverted);
  animation: sign-in-appear 1200ms;
}
.sign-in .sign-in-picture {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  object-fit: cover;
  opacity: 0;
  transition: opacity 1800ms var(--curveEasyEase);
}
.sign-in .sign-in-picture[data-shown] { opacity: 1; }
.sign-in .sign-in-pause {
  position: absolute;
  z-index: 1;
  top: 16px;
  left: 16px;
  display: grid;
  place-items: center;
  width: 44px;
  height: 44px;
  padding: 0;
  border: none;
  border-radius: var(--borderRadiusCircular);
  font-size: 20px;
  color: var(--colorNeutralForegroundStaticInverted);
  background: var(--veil);
  cursor: pointer;
}

.sign-in .sign-in-foot {
  grid-column: 1;
  grid-row: 2;
  position: relative;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 20px;
  padding: 12px 24px 16px;
  font-size: var(--fontSizeBase200);
  line-height: var(--lineHeightBase200);
  color: var(--colorNeutralForegroundStaticInverted);
}
.sign-in .sign-in-short-name { font-weight: var(--fontWeightSemibold); }
.sign-in .sign-in-grow { flex-grow: 1; }
.sign-in .sign-in-contact { color: inherit; text-decoration: none; border-radius: var(--borderRadiusMedium); }
.sign-in .sign-in-contact:hover { text-decoration: underline; }
.sign-in .sign-in-languages { display: flex; column-gap: 2px; }
.sign-in .sign-in-language {
  min-width: 32px;
  min-height: 28px;
  padding: 0 8px;
  border: none;
  border-radius: var(--borderRadiusMedium);
  font: inherit;
  color: inherit;
  background: transparent;
  cursor: pointer;
}
.sign-in .sign-in-language:hover { background: color-mix(in srgb, currentColor 16%, transparent); }
.sign-in .sign-in-language[aria-pressed='true'] {
  font-weight: var(--fontWeightBold);
  text-decoration: underline 2px;
  text-underline-offset: 4px;
}
.sign-in .sign-in-contact:focus-visible,
.sign-in .sign-in-language:focus-visible,
.sign-in .sign-in-pause:focus-visible { outline: var(--focus); box-shadow: 0 0 0 4px var(--colorStrokeFocus1); }
/* Fluent's provider would draw these focus rings. This page has no provider, so the browser draws them. */
.sign-in .sign-in-link:focus-visible,
.sign-in .fui-Button:focus-visible { outline: var(--focus); outline-offset: 1px; }

/* High contrast hides the branding: lines on the page's background. */
[data-theme='contrast'] .sign-in .sign-in-background {
  background: var(--colorNeutralBackground1);
  border-right: 1px solid var(--colorNeutralStroke1);
}
[data-theme='contrast'] .sign-in .sign-in-background:not(:has(.sign-in-picture))::after { display: none; }
[data-theme='contrast'] .sign-in .sign-in-drawing { color: var(--colorNeutralForeground1); }
[data-theme='contrast'] .sign-in .sign-in-background:not(:has(.sign-in-picture)) ~ .sign-in-foot {
  color: var(--colorNeutralForeground1);
}

@media (max-width: 899px) {
  .sign-in { grid-template-columns: minmax(0, 1fr); grid-template-rows: 160px 1fr auto; }
  .sign-in .sign-in-background { grid-row: 1; }
  .sign-in .sign-in-background::after { background-image: linear-gradient(to bottom, transparent 55%, var(--veil)); }
  .sign-in .sign-in-panel { grid-column: 1; grid-row: 2; padding: 24px 20px; }
  .sign-in .sign-in-resuming { grid-column: 1; grid-row: 2; }
  .sign-in .sign-in-foot {
    grid-row: 3;
    padding: 12px 20px;
    color: var(--colorNeutralForeground3);
    border-top: 1px solid var(--colorNeutralStroke2);
  }
}
@media (pointer: coarse) {
  .sign-in .sign-in-link { min-height: 44px; }
  .sign-in .sign-in-language { min-width: 44px; min-height: 44px; }
  .sign-in .sign-in-reveal { min-width: 44px; min-height: 40px; }
}
@media (forced-colors: active) {
  .sign-in .sign-in-background { background: Canvas; border-right: 1px solid CanvasText; }
  .sign-in .sign-in-background::after { display: none; }
  .sign-in .sign-in-drawing { color: CanvasText; }
  .sign-in .sign-in-foot { color: CanvasText; }
}
`;
