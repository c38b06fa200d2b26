import type { RefObject } from 'react';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { routes } from '#core';
import { Button, makeStyles, mergeClasses, tokens, Tooltip, useCover } from '#core/ui';
import { Locations, Navigation, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { BackIcon, NodeListIcon, SearchIcon } from '../icons.tsx';
import { PersonMenu } from './person-menu.tsx';
import { SearchField } from './search-field.tsx';
import { ShareButton } from './share-button.tsx';
import { phone, phoneQuery, useGlass } from './use-glass.ts';
import { useMediaQuery } from './use-media-query.ts';

const useStyles = makeStyles({
  bar: {
    position: 'absolute',
    top: 0,
    left: 0,
    right: 0,
    height: '48px',
    display: 'flex',
    alignItems: 'center',
    gap: '4px',
    padding: '0 8px',
    zIndex: 1,
  },
  crumbs: {
    display: 'flex',
    alignItems: 'center',
    gap: '6px',
    minWidth: 0,
    flexGrow: 1,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    overflow: 'hidden',
  },
  crumb: {
    display: 'flex',
    gap: '4px',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    color: tokens.colorNeutralForeground2,
    [phone]: { display: 'none' },
  },
  currentCrumb: {
    display: 'block',
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground1,
    flexShrink: 0,
    maxWidth: '60%',
    [phone]: { display: 'block', maxWidth: '100%' },
  },
  name: { minWidth: 0, lineHeight: '44px', overflow: 'hidden', textOverflow: 'ellipsis' },
  separator: { lineHeight: '44px' },
  link: {
    minWidth: '44px',
    color: 'inherit',
    textDecorationLine: 'none',
    ':hover': { textDecorationLine: 'underline' },
  },
  search: { width: '280px', flexShrink: 1, minWidth: '120px' },
  searchOnPhone: { position: 'absolute', top: '52px', left: '8px', right: '8px', maxWidth: 'none', width: 'auto' },
});

export interface TopBarProps {
  /** uid of the location in the URL. */
  readonly location: string;
  readonly searchField: RefObject<HTMLInputElement | null>;
  /** Id of the top panel. */
  readonly panel: string | undefined;
  readonly onPanel: (panel: string | undefined) => void;
  /** Writes pending changes to the URL. */
  readonly flush: () => void;
  /** Opens the list of shortcuts. */
  readonly onShortcuts: () => void;
}

/** The bar with the breadcrumb, the search, and the buttons for viewpoints, sharing and the person. */
export const TopBar = observer(function TopBar({
  location,
  searchField,
  panel,
  onPanel,
  flush,
  onShortcuts,
}: TopBarProps) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const navigation = useService(Navigation);
  const path = useService(Locations).pathTo(location);
  const onPhone = useMediaQuery(phoneQuery);
  const site = path[0];
  const backUrl =
    (site && navigation.linkTo(routes.location, { location: site.uid })) ?? navigation.linkTo(routes.home, {});
  return (
    <header ref={useCover('top')} className={mergeClasses(glass.glass, styles.bar)}>
      {backUrl === undefined ? null : (
        <Tooltip content={t('tour.back')} relationship="label">
          <Button appearance="subtle" icon={<BackIcon />} onClick={() => navigation.goToUrl(backUrl)} />
        </Tooltip>
      )}
      <nav aria-label={t('tour.where')} style={{ minWidth: 0, flexGrow: 1 }}>
        <ol className={styles.crumbs}>
          {path.map(({ uid, name }) => (
            <li key={uid} className={styles.crumb}>
              <Crumb uid={uid} name={name} />
              <span aria-hidden="true" className={styles.separator}>
                ›
              </span>
            </li>
          ))}
          <li className={mergeClasses(styles.crumb, styles.currentCrumb)} aria-current="location">
            {store.currentNode?.name}
          </li>
        </ol>
      </nav>
      {onPhone ? (
        <Tooltip content={t('tour.search')} relationship="label">
          <Button
            appearance="subtle"
            icon={<SearchIcon />}
            aria-expanded={panel === 'search'}
            onClick={() => onPanel(panel === 'search' ? undefined : 'search')}
          />
        </Tooltip>
      ) : null}
      {!onPhone || panel === 'search' ? (
        <SearchField
          input={searchField}
          className={onPhone ? styles.searchOnPhone : styles.search}
          takesFocus={onPhone}
        />
      ) : null}
      <Tooltip content={t('tour.places')} relationship="label">
        <Button
          appearance="subtle"
          icon={<NodeListIcon />}
          aria-pressed={panel === 'places'}
          onClick={() => onPanel(panel === 'places' ? undefined : 'places')}
        />
      </Tooltip>
      <ShareButton location={location} flush={flush} />
      <PersonMenu onShortcuts={onShortcuts} />
    </header>
  );
});

/** The name of an ancestor location. It is a link if the location is a site and the product has a page for it. */
function Crumb({ uid, name }: { readonly uid: string; readonly name: string }) {
  const styles = useStyles();
  const locations = useService(Locations);
  const isSite = locations.find(uid)?.parent === null;
  const url = useService(Navigation).linkTo(routes.location, { location: uid });
  if (!isSite || url === undefined) return <span className={styles.name}>{name}</span>;
  return (
    <Link className={mergeClasses(styles.name, styles.link)} to={url}>
      {name}
    </Link>
  );
}
