import { useService, useText } from '#core/web';
import { InputStore } from '../viewer/input-store.ts';

/**
 * Returns a function that formats the hint for the next point and the current device. `count` is the number of points
 * so far. Call it in an observer.
 */
export function useHint(): (id: string, count: number) => string {
  const t = useText();
  const { device } = useService(InputStore);
  return (id, count) => {
    const action = t(id, { count, device });
    return device === 'keyboard' ? t('annotate.withArrowKeys', { action }) : action;
  };
}
