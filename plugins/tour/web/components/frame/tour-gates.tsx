import { useCallback, useState, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { LoadingState } from '#core/ui';
import { ContributedComponent, useContributions, useText } from '#core/web';
import { tourGates } from '#plugins/tour';

export interface TourGatesProps {
  /** uid of the location in the URL. Use it as `key`. */
  readonly location: string;
  /** Class of the element around a gate. */
  readonly className: string;
  readonly children: ReactNode;
}

/** Renders one gate after the other, and `children` once all have passed. */
export const TourGates = observer(function TourGates({ location, className, children }: TourGatesProps) {
  const t = useText();
  const gates = useContributions(tourGates);
  const [passedGates, setPassedGates] = useState<readonly string[]>([]);
  const gate = gates.find(({ id }) => !passedGates.includes(id));
  const id = gate?.id;
  const handlePass = useCallback(() => {
    if (id !== undefined) setPassedGates((previous) => [...previous, id]);
  }, [id]);
  if (!gate) return children;
  return (
    <div className={className}>
      <ContributedComponent
        contribution={gate}
        load={gate.load}
        props={{ location, onPass: handlePass }}
        fallback={<LoadingState label={t('tour.loading')} />}
      />
    </div>
  );
});
