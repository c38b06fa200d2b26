import { useLocation } from 'react-router-dom';
import { routes } from '#core';
import { EmptyState, makeStyles } from '#core/ui';
import { I18n, RouteLink, useService, useText } from '#core/web';
import LinkChooser from '../components/link-chooser.tsx';
import { parseLink } from '../stores/parse-link.ts';

const useStyles = makeStyles({ root: { height: '100%', overflowY: 'auto', display: 'grid', placeContent: 'center' } });

/** Opens the tour of a node or a tag from a URL that contains only its code. */
export default function FindTourScreen() {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const { search } = useLocation();
  const { node, tag } = parseLink(search, [])?.link ?? {};
  const home = <RouteLink to={routes.home}>{t('tour.backHome')}</RouteLink>;
  if (node === undefined && tag === undefined) {
    return (
      <div className={styles.root}>
        <EmptyState heading="h1" title={t('tour.none')} message={t('tour.noneHint')} action={home} />
      </div>
    );
  }
  const names = [
    ...(tag === undefined ? [] : [t('tour.link.tag', { number: tag })]),
    ...(node === undefined ? [] : [t('tour.link.node', { code: node })]),
  ];
  return (
    <div className={styles.root}>
      <LinkChooser node={node} tag={tag} site={undefined} query={search}>
        <EmptyState
          heading="h1"
          title={t('tour.link.notFound', { parts: new Intl.ListFormat(language, { type: 'unit' }).format(names) })}
          message={t('tour.link.notFoundHint')}
          action={home}
        />
      </LinkChooser>
    </div>
  );
}
