import { observer } from 'mobx-react-lite';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { Badge, Button, makeStyles, tokens } from '#core/ui';
import { Navigation, useService, useText } from '#core/web';
import type { SetUp } from '../../contract/api/set-up.ts';
import type { SetUpStep } from '../../contract/index.ts';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 600px)': { gridTemplateColumns: '1fr' },
  },
  name: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  title: { fontWeight: tokens.fontWeightSemibold },
  detail: { gridColumn: '1', color: tokens.colorNeutralForeground2 },
  actions: {
    gridColumn: '2',
    gridRow: '1 / span 2',
    display: 'flex',
    gap: tokens.spacingHorizontalS,
    '@media (max-width: 600px)': { gridColumn: '1', gridRow: 'auto' },
  },
  button: { '@media (pointer: coarse)': { minHeight: '44px' } },
});

export type ShownStep = SetUp['steps'][number] & { readonly step: SetUpStep };

export interface SetUpRowProps {
  readonly shownStep: ShownStep;
  /** Whether the step is the next one to do. */
  readonly primary: boolean;
  readonly busy: boolean;
  readonly onSkip: (skipped: boolean) => void;
}

const colors = { TODO: 'informative', STARTED: 'warning', DONE: 'success' } as const;

/** A step of the set-up. Has no link if the person cannot open the screen. */
export const SetUpRow = observer(function SetUpRow({ shownStep, primary, busy, onSkip }: SetUpRowProps) {
  const styles = useStyles();
  const t = useText();
  const { step, state, detail, skipped } = shownStep;
  const url = useService(Navigation).linkTo(step.to, {});
  const title = t(step.title);
  const isOpen = state !== 'DONE' && !skipped;
  const query = state === 'TODO' ? (step.firstQuery ?? '') : '';
  const action = t(`locations.setUp.action.${state}`);
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <span className={styles.title}>{title}</span>
        <Badge appearance="tint" color={skipped ? 'informative' : colors[state]}>
          {t(skipped ? 'locations.setUp.skipped' : `locations.setUp.state.${state}`)}
        </Badge>
      </span>
      <span className={styles.detail}>{t(detail.message, detail.values)}</span>
      <span className={styles.actions}>
        {url === undefined ? null : (
          <StepLink
            url={url + query}
            action={action}
            label={t('locations.setUp.actionOf', { action, title })}
            primary={primary}
          />
        )}
        {isOpen || skipped ? (
          <Button
            className={styles.button}
            appearance="subtle"
            disabledFocusable={busy}
            aria-label={t('locations.setUp.actionOf', {
              action: t(skipped ? 'locations.setUp.unskip' : 'locations.setUp.skip'),
              title,
            })}
            onClick={() => onSkip(!skipped)}
          >
            {t(skipped ? 'locations.setUp.unskip' : 'locations.setUp.skip')}
          </Button>
        ) : null}
      </span>
    </li>
  );
});

interface StepLinkProps {
  readonly url: string;
  readonly action: string;
  readonly label: string;
  readonly primary: boolean;
}

/** A link that looks like a button, so that people can also open it in a new tab. */
function StepLink({ url, action, label, primary }: StepLinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(url);
  return (
    <Button
      className={useStyles().button}
      as="a"
      href={useHref(url)}
      appearance={primary ? 'primary' : 'secondary'}
      aria-label={label}
      onClick={(event: React.MouseEvent<HTMLAnchorElement>) => follow(event)}
    >
      {action}
    </Button>
  );
}
