import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { storageKeys, type TourSession } from '#core';
import { makeStyles, Text, tokens } from '#core/ui';
import {
  BrowserStorage,
  ContributedComponent,
  Locations,
  useContributions,
  useFormats,
  useService,
  useText,
} from '#core/web';
import { locationBackgrounds } from '../../contract/index.ts';
import { LocationPicture } from './location-picture.tsx';

const useStyles = makeStyles({
  link: {
    display: 'grid',
    gridTemplateColumns: '160px 1fr auto',
    maxWidth: '560px',
    minHeight: '104px',
    marginBottom: tokens.spacingVerticalXXL,
    overflow: 'hidden',
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    backgroundColor: tokens.colorBrandBackground2,
    border: `1px solid ${tokens.colorBrandStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    ':hover': { boxShadow: tokens.shadow8 },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
    '@media (max-width: 479px)': { gridTemplateColumns: '112px 1fr auto' },
  },
  text: { display: 'grid', alignContent: 'center', gap: '2px', padding: tokens.spacingHorizontalL },
});

/** A link to the last tour view. Renders nothing without such a view, or if its location is not accessible. */
export const ContinueCard = observer(function ContinueCard() {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const session = useService(BrowserStorage).get<TourSession>(storageKeys.tourSession);
  const formats = useFormats(session?.location);
  const backgrounds = useContributions(locationBackgrounds).filter(({ place }) => place === 'card');
  if (!session || !locations.find(session.location)) return null;
  const path = [...locations.pathTo(session.location).map(({ name }) => name), session.title].join(' › ');
  return (
    <Link to={session.address} className={styles.link}>
      <LocationPicture url={session.picture} name={session.title} />
      <span className={styles.text}>
        <Text weight="semibold" size={400}>
          {t('locations.home.continue')}
        </Text>
        <Text>{t('locations.home.continueAt', { place: path, time: formats.instant(session.at) })}</Text>
      </span>
      {backgrounds.map((background) => (
        <ContributedComponent
          key={background.id}
          contribution={background}
          load={background.load}
          props={{ location: session.location }}
        />
      ))}
    </Link>
  );
});
