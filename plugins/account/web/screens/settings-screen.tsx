import { observer } from 'mobx-react-lite';
import { makeStyles, PageTitle, PanelSkeleton, tokens } from '#core/ui';
import {
  Contributed,
  ContributedComponent,
  settingsSections,
  useContributions,
  useText,
  type SettingsSection,
} from '#core/web';

const useStyles = makeStyles({
  sections: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingVerticalXXL,
    maxWidth: '720px',
  },
  section: {
    padding: tokens.spacingHorizontalXL,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  heading: {
    marginTop: 0,
    marginBottom: tokens.spacingVerticalL,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
});

/** Settings of the signed-in person, with one section per contribution. */
const SettingsScreen = observer(function SettingsScreen() {
  const styles = useStyles();
  const t = useText();
  const sections = useContributions(settingsSections);
  return (
    <>
      <PageTitle title={t('account.settings.title')} hint={t('account.settings.hint')} />
      <div className={styles.sections}>
        {sections.map((section) => (
          <Contributed key={section.id} contribution={section}>
            <Section section={section} />
          </Contributed>
        ))}
      </div>
    </>
  );
});
export default SettingsScreen;

function Section({ section }: { readonly section: SettingsSection }) {
  const styles = useStyles();
  const t = useText();
  const heading = `settings-${section.id}`;
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {t(section.title)}
      </h2>
      <ContributedComponent
        contribution={section}
        load={section.load}
        props={{}}
        fallback={<PanelSkeleton lines={3} />}
      />
    </section>
  );
}

export { default as AppearanceSection } from '../components/appearance-section.tsx';
export { default as DefaultsSection } from '../components/defaults-section.tsx';
export { default as PasswordSection } from '../components/password-section.tsx';
export { default as ProfileSection } from '../components/profile-section.tsx';
export { default as SecondFactorSection } from '../second-factor/second-factor-section.tsx';
export { default as SessionsSection } from '../components/sessions-section.tsx';
