import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import type { ContentCheckResult } from '#core/api';
import { Badge, Button } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { FindingTable } from './finding-table.tsx';
import { useDescribeCheck } from './use-describe-check.ts';

export interface CheckCardProps {
  readonly check: ContentCheckResult;
  /** Uid of the checked location. */
  readonly location: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A check with findings. The findings are listed while the card is open. */
export const CheckCard = observer(function CheckCard({ check, location, isOpen, onToggle }: CheckCardProps) {
  const styles = useAdminStyles();
  const t = useText();
  const id = useId();
  const { title, hint } = useDescribeCheck()(check);
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.grow}>
          <h2 id={id} className={styles.name}>
            {title}
          </h2>
          <p className={styles.note}>{hint}</p>
        </div>
        <Badge appearance="tint" color={check.severity === 'ERROR' ? 'danger' : 'warning'}>
          {t(`content-check.severity.${check.severity}`)}
        </Badge>
        <Button
          aria-expanded={isOpen}
          aria-label={`${t(isOpen ? 'content-check.hide' : 'content-check.show')}: ${title}`}
          onClick={onToggle}
        >
          {t(isOpen ? 'content-check.hide' : 'content-check.show')}
        </Button>
      </div>
      {isOpen ? <FindingTable check={check} location={location} label={title} /> : null}
    </section>
  );
});
