import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useMemo } from 'react';
import { makeStyles, PageTitle, PanelSkeleton, tokens } from '#core/ui';
import { Access, loadChunk, PluginScope, settingsSections, usePluginScope, useService, useText, type SettingsSection } from '#core/web';

const useStyles = makeStyles({
  sections: { display: 'grid', gap: tokens.spacingVerticalXXL, maxWidth: '720px' },
  section: {
    padding: tokens.spacingHorizontalXL,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  heading: { marginTop: 0, marginBottom: tokens.spacingVerticalL, fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500, fontWeight: tokens.fontWeightSemibold },
});

/** The person's own settings: one section a contribution. */
const SettingsScreen = observer(function SettingsScreen() {
  const styles = useStyles();
  const t = useText();
  const { host } = usePluginScope();
  const { info } = useService(Access);
  const sections = host.contributions(settingsSections, info);
  return (
    <>
      <PageTitle title={t('account.settings.title')} hint={t('account.settings.hint')} />
      <div className={styles.sections}>
        {sections.map((section) => (
          <PluginScope key={section.id} plugin={section.id.split('.')[0] ?? section.id}>
            <Section section={section} />
          </PluginScope>
        ))}
      </div>
    </>
  );
});
export default SettingsScreen;

function Section({ section }: { readonly section: SettingsSection }) {
  const styles = useStyles();
  const t = useText();
  const Content = useMemo(() => lazy(() => loadChunk(section.id, section.load)), [section]);
  const heading = `settings-${section.id}`;
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {t(section.title)}
      </h2>
      <Suspense fallback={<PanelSkeleton facts={3} />}>
        <Content />
      </Suspense>
    </section>
  );
}
