import { useService, useText } from '#core/web';
import { InputStore } from '../viewer/input-store.ts';

/** Returns the formatter of the hint for the next of `count` points with the current device. Call it in an observer. */
export function useHint(): (id: string, count: number) => string {
  const t = useText();
  const { device } = useService(InputStore);
  return (id, count) => {
    const action = t(id, { count, device });
    return device === 'keyboard' ? t('annotate.withArrowKeys', { action }) : action;
  };
}
