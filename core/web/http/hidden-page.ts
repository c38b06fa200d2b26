/** The part of a document that says whether the page is in the background. */
export type VisiblePage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/** Resolves when the page is visible, or when aborted. */
export async function waitUntilVisible(page: VisiblePage, signal: AbortSignal): Promise<void> {
  if (!page.hidden || signal.aborted) return;
  const controller = new AbortController();
  await new Promise<void>((resolve) => {
    page.addEventListener('visibilitychange', () => (page.hidden ? undefined : resolve()), {
      signal: controller.signal,
    });
    signal.addEventListener('abort', () => resolve(), { signal: controller.signal });
  });
  controller.abort();
}

/**
 * Creates a signal that aborts with `parentSignal`, or once the page has been hidden for `graceMs`. `stop` ends the
 * watch.
 */
export function watchHidden(
  page: VisiblePage,
  graceMs: number,
  parentSignal: AbortSignal,
): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const listenerController = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(timer);
    timer = page.hidden ? setTimeout(() => controller.abort(), graceMs) : undefined;
  };
  page.addEventListener('visibilitychange', update, { signal: listenerController.signal });
  parentSignal.addEventListener('abort', () => controller.abort(), { signal: listenerController.signal });
  if (parentSignal.aborted) controller.abort();
  update();
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      listenerController.abort();
    },
  };
}
