import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState } from 'react';
import type { LocationNode } from '#core';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { Locations, useFormatFailure, useService, useText, useUnsavedWork } from '#core/web';
import type { LocationPictures } from '../../../contract/index.ts';
import { AreasDraft } from '../stores/areas-draft.ts';
import { readPictureConflict, type PictureMutations } from '../stores/picture-mutations.ts';
import { AreaList } from './area-list.tsx';
import { AreasCanvas } from './areas-canvas.tsx';
import { LocationCombobox } from './location-combobox.tsx';

const useStyles = makeStyles({
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold, outlineStyle: 'none' },
});

export interface AreasEditorProps {
  readonly location: LocationNode;
  readonly pictures: LocationPictures;
  /** Address of the navigation image. */
  readonly image: string;
  readonly mutations: PictureMutations;
}

/** Edits the map hotspots of a navigation image: by mouse, by touch and by keyboard. Nothing is lost offline. */
export const AreasEditor = observer(function AreasEditor({ location, pictures, image, mutations }: AreasEditorProps) {
  const t = useText();
  const styles = useAdminStyles();
  const ownStyles = useStyles();
  const formatFailure = useFormatFailure();
  const title = useId();
  const locations = useService(Locations);
  const [draft] = useState(() => new AreasDraft(pictures));
  const [theirs, setTheirs] = useState<LocationPictures>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const canvas = useRef<HTMLDivElement>(null);
  const firstCorner = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    setTheirs(draft.follow(pictures) ? undefined : pictures);
  }, [draft, pictures]);
  const { changed, drawing, crossing, edited } = draft;
  const heading = useRef<HTMLHeadingElement>(null);
  const cornerCount = draft.areas.find((area) => area.location === edited)?.polygon.length;
  const focusCorners = (): void => (firstCorner.current ?? heading.current)?.focus();
  const isDrawing = drawing !== undefined;
  // The element with the focus may be gone with the drawing, the corner or the area.
  useEffect(() => {
    const focusedElement = document.activeElement;
    // The picture takes keys only while one draws.
    if (focusedElement === document.body || (!isDrawing && focusedElement === canvas.current)) focusCorners();
  }, [isDrawing, edited, cornerCount]);
  useUnsavedWork(changed, 'locations.areas');

  const names = new Map(
    [location.uid, ...draft.areas.map((area) => area.location), drawing?.location ?? ''].map((uid) => [
      uid,
      locations.find(uid)?.name ?? uid,
    ]),
  );
  const usedLocations = new Set(draft.areas.map((area) => area.location));
  const free = listBelow(location).filter(({ uid }) => !usedLocations.has(uid));

  const save = async (version: number): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { uid, name } = location;
      const { areas } = draft;
      await mutations.saveAreas({ uid, name, version }, areas);
      draft.accept({ ...pictures, areas: [...areas], version: version + 1 });
      setTheirs(undefined);
    } catch (cause) {
      const current = readPictureConflict(cause);
      // Another person has changed a picture only: the areas are still the ones that were edited.
      if (current && draft.follow(current)) return await save(current.version);
      if (current) setTheirs(current);
      else setFailure(cause);
    } finally {
      setBusy(false);
    }
  };
  const discard = (): void => {
    draft.accept(theirs ?? pictures);
    setTheirs(undefined);
    setFailure(undefined);
  };
  const problem =
    draft.problem === undefined
      ? crossing.size > 0
        ? t('locations.areas.problem.crossing')
        : undefined
      : t(`locations.areas.problem.${draft.problem}`);
  return (
    <section className={styles.form} aria-labelledby={title}>
      <h4 id={title} ref={heading} tabIndex={-1} className={ownStyles.title}>
        {t('locations.areas.title')}
      </h4>
      <p className={styles.note}>{t('locations.areas.hint')}</p>
      <LocationCombobox
        // A new area empties the field.
        key={draft.areas.length}
        locations={free}
        root={location.uid}
        disabled={isDrawing}
        onChoose={(uid) => {
          draft.start(uid);
          requestAnimationFrame(() => canvas.current?.focus());
        }}
      />
      <AreasCanvas
        canvas={canvas}
        firstCorner={firstCorner}
        draft={draft}
        image={image}
        alt={t('locations.pictures.imageOf', { name: location.name })}
        findName={(uid) => names.get(uid) ?? uid}
      />
      {drawing ? (
        <div className={styles.actions}>
          <Button appearance="primary" onClick={() => draft.close()}>
            {t('locations.areas.close')}
          </Button>
          <Button disabledFocusable={drawing.corners.length === 0} onClick={() => draft.removeLastCorner()}>
            {t('locations.areas.removeLast')}
          </Button>
          <Button onClick={() => draft.cancelDrawing()}>{t('locations.areas.cancel')}</Button>
        </div>
      ) : null}
      <div role="alert">
        {problem === undefined ? null : (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{problem}</MessageBarBody>
          </MessageBar>
        )}
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>
              {formatFailure(failure)} {t('locations.areas.kept')}
            </MessageBarBody>
          </MessageBar>
        )}
        {theirs ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('locations.areas.conflict')}</MessageBarBody>
            <MessageBarActions>
              <Button disabledFocusable={busy || drawing !== undefined} onClick={() => void save(theirs.version)}>
                {t('locations.sites.saveMine')}
              </Button>
              <Button onClick={discard}>{t('locations.areas.showTheirs')}</Button>
            </MessageBarActions>
          </MessageBar>
        ) : null}
      </div>
      <AreaList
        draft={draft}
        findName={(uid) => names.get(uid) ?? uid}
        label={t('locations.areas.list')}
        onEdit={() => requestAnimationFrame(focusCorners)}
      />
      <div className={styles.actions}>
        <Button
          appearance="primary"
          disabledFocusable={busy || !changed || drawing !== undefined || crossing.size > 0 || theirs !== undefined}
          onClick={() => void save(draft.version)}
        >
          {t('locations.areas.save')}
        </Button>
        {changed ? <Button onClick={discard}>{t('locations.areas.discard')}</Button> : null}
      </div>
    </section>
  );
});

const listBelow = ({ children }: LocationNode): readonly LocationNode[] =>
  children.flatMap((child) => [child, ...listBelow(child)]);
