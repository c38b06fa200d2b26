import { lazy, Suspense, useState } from 'react';
import { encodeViewState } from '#core';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Tooltip,
} from '#core/ui';
import { useService, useText } from '#core/web';
import { captureView, TourStore, TourTools } from '#plugins/tour';
import { ShareIcon } from '../icons.tsx';
import { phoneQuery } from './use-glass.ts';
import { useMediaQuery } from './use-media-query.ts';

const SharePanel = lazy(() => import('./share-panel.tsx'));

const useStyles = makeStyles({
  // Reserves the height of the complete panel, so that nothing moves while the panel loads.
  surface: { width: 'min(360px, calc(100vw - 48px))', overflowY: 'auto' },
  content: { minHeight: '332px', display: 'grid', alignContent: 'start' },
  // Below the bar with the title of the tour.
  dialog: { marginTop: '64px' },
});

export interface ShareButtonProps {
  /** uid of the location in the URL. */
  readonly location: string;
  /** Writes pending changes to the URL. */
  readonly flush: () => void;
}

interface SharedView {
  readonly query: string;
  /** The full URL of the view. */
  readonly url: string;
}

/** Shares the current view by a short link, in a popover below the button or, on phones, in a dialog. */
export function ShareButton({ location, flush }: ShareButtonProps) {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const onPhone = useMediaQuery(phoneQuery);
  const [shared, setShared] = useState<SharedView>();

  const handleOpenChange = (isOpen: boolean): void => {
    if (!isOpen) return setShared(undefined);
    flush();
    const view = captureView(store, tools);
    if (view) setShared({ query: encodeViewState(view), url: window.location.href });
  };
  const content = (
    <div className={styles.content}>
      <Suspense>{shared ? <SharePanel location={location} {...shared} /> : null}</Suspense>
    </div>
  );
  if (onPhone) {
    return (
      <Dialog open={shared !== undefined} onOpenChange={(_, { open }) => handleOpenChange(open)}>
        <DialogTrigger disableButtonEnhancement>
          <Tooltip content={t('tour.share')} relationship="label">
            <Button appearance="subtle" icon={<ShareIcon />} />
          </Tooltip>
        </DialogTrigger>
        <DialogSurface className={styles.dialog}>
          <DialogBody>
            <DialogTitle>{t('tour.share')}</DialogTitle>
            <DialogContent>{content}</DialogContent>
            <DialogActions fluid>
              <DialogTrigger disableButtonEnhancement>
                <Button>{t('tour.closePanel')}</Button>
              </DialogTrigger>
            </DialogActions>
          </DialogBody>
        </DialogSurface>
      </Dialog>
    );
  }
  return (
    <Popover
      open={shared !== undefined}
      onOpenChange={(_, { open }) => handleOpenChange(open)}
      trapFocus
      positioning={{ position: 'below', align: 'end', offset: 8, pinned: true, autoSize: 'height' }}
    >
      <PopoverTrigger disableButtonEnhancement>
        <Tooltip content={t('tour.share')} relationship="label">
          <Button appearance="subtle" icon={<ShareIcon />} />
        </Tooltip>
      </PopoverTrigger>
      {/* Focused until the content is loaded. Without focus, the content would be hidden from screen readers. */}
      <PopoverSurface tabIndex={-1} className={styles.surface} aria-label={t('tour.share')}>
        {content}
      </PopoverSurface>
    </Popover>
  );
}
